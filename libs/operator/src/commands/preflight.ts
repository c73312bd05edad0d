import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '@clew/runtime';
import type { Command } from '../command.ts';

/** Checks that each Secret of an installation is mounted, before a process starts that would silently wait for it. */
export const preflightCommand: Command = {
  name: 'preflight',
  usage: 'preflight <folder> <name>/<key> ...',
  summary: 'name the Secrets that an installation lacks, of those that should be mounted in the folder',
  async run([folder, ...needed], context) {
    if (folder === undefined || needed.length === 0) throw new UsageError('Say the folder, and what should be in it');
    const missing = needed.filter((file) => !holdsSomething(join(folder, file)));
    if (missing.length === 0) {
      context.write(`All ${needed.length} values are there.\n`);
      return 0;
    }
    const lines = missing.map((each) => `  ${each}\n`);
    context.write(
      `Missing in this namespace (Secret or ConfigMap, key), of ${needed.length} values:\n${lines.join('')}`,
    );
    context.write('Make them with deploy/k8s/make-secrets.mjs; this is tried again until all are there.\n');
    return 1;
  },
};

function holdsSomething(file: string): boolean {
  try {
    return readFileSync(file, 'utf8').trim() !== '';
  } catch {
    return false;
  }
}
