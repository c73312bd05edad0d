import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runCommandLine } from '@clew/stack';
import { packPackage, PUBLISHED } from './pack-package.ts';

/** Packs the packages that are published. */
async function main(): Promise<number> {
  const { values } = parseArgs({ options: { out: { type: 'string', default: 'dist/packages' } } });
  const folder = resolve(values.out);
  await mkdir(folder, { recursive: true });
  for (const name of PUBLISHED) process.stdout.write(`${await packPackage(name, folder)}\n`);
  return 0;
}

process.exitCode = await runCommandLine('Usage: npm run pack [-- --out FOLDER]', main);
