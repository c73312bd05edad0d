#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { VERSION } from './version.ts';

// Saves what was compiled for the next start, where Node can.
enableCompileCache();

const args = process.argv.slice(2);

// Answered before anything else is loaded: scripts ask for it.
if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) process.stdout.write(`${VERSION}\n`);
else {
  const [{ runClew }, { processIo }] = await Promise.all([import('./run.ts'), import('./io.ts')]);
  process.exitCode = await runClew(args, processIo());
}
