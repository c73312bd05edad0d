// npm run bench -- <name> [options]
// Runs one benchmark: prints a table for people, then its figures as JSON on the last line.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runCommandLine, UsageError } from '@clew/stack';

/** Export of a file in `benches/`. */
interface Benchmark {
  /** Measures, prints a report for people, and returns the figures. */
  run(args: readonly string[]): Promise<Record<string, unknown>>;
}

const FOLDER = join(import.meta.dirname, 'benches');
const names = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => file.slice(0, -'.ts'.length))
  .sort();

const USAGE = `Usage: npm run bench -- <name> [options]\n  names: ${names.join(', ')}`;

async function main([name = '', ...args]: readonly string[]): Promise<number> {
  if (!names.includes(name)) throw new UsageError(name === '' ? 'the name is missing' : `there is no "${name}"`);
  const { run } = (await import(pathToFileURL(join(FOLDER, `${name}.ts`)).href)) as Benchmark;
  const figures = await run(args);
  process.stdout.write(`${JSON.stringify({ bench: name, ...figures })}\n`);
  return 0;
}

process.exitCode = await runCommandLine(USAGE, () => main(process.argv.slice(2)));
