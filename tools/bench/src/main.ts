// node --conditions=clew-source tools/bench/src/main.ts <name> [options]
// Runs one benchmark: a table for people, then its figures as JSON on the last line.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What a file under `benches/` exports. */
interface Benchmark {
  /** Measures, prints what a person wants to see, and gives back the figures. */
  run(args: readonly string[]): Promise<Record<string, unknown>>;
}

const FOLDER = join(import.meta.dirname, 'benches');
const names = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => file.slice(0, -'.ts'.length))
  .sort();

const [name = '', ...args] = process.argv.slice(2);
if (!names.includes(name)) {
  process.stderr.write(`Usage: npm run bench -- <name> [options]\n  names: ${names.join(', ')}\n`);
  process.exit(2);
}

const { run } = (await import(pathToFileURL(join(FOLDER, `${name}.ts`)).href)) as Benchmark;
const figures = await run(args);
process.stdout.write(`${JSON.stringify({ bench: name, ...figures })}\n`);
