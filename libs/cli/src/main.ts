#!/usr/bin/env node
import { VERSION } from './version.ts';

const args = process.argv.slice(2);

// Answered before anything else is loaded: scripts ask for it.
if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) process.stdout.write(`${VERSION}\n`);
else {
  const [{ runClew }, { processIo }] = await Promise.all([import('./run.ts'), import('./io.ts')]);
  process.exitCode = await runClew(args, processIo());
}
