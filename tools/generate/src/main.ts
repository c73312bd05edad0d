import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { runCommandLine } from '@clew/stack';
import { generatedFiles } from './generated-files.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** Writes the generated files; with `--check`, reports which are outdated. */
async function main(): Promise<number> {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
  const stale: string[] = [];
  for (const [file, wanted] of await generatedFiles()) {
    const path = join(ROOT, file);
    const present = await readFile(path, 'utf8').catch(() => undefined);
    if (present === wanted) continue;
    stale.push(file);
    if (values.check) continue;
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, wanted);
  }
  if (stale.length === 0) process.stdout.write('Generated files are up to date.\n');
  else if (!values.check) process.stdout.write(`Written: ${stale.join(', ')}\n`);
  else {
    process.stderr.write(`Not up to date: ${stale.join(', ')}. Run "npm run generate" and commit the result.\n`);
    return 1;
  }
  return 0;
}

process.exitCode = await runCommandLine('Usage: npm run generate [-- --check]', main);
