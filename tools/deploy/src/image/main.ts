import { parseArgs } from 'node:util';
import { resolve } from 'node:path';
import { runCommandLine, UsageError } from '@clew/stack';
import { assembleImage } from './assemble.ts';
import { IMAGES } from './image-content.ts';

const USAGE = `Usage: npm run image -- --app <${[...IMAGES.keys()].join(' | ')}> --out <folder>`;

/** Creates the folder that an image adds to its base. */
async function main(): Promise<number> {
  const { values } = parseArgs({ options: { app: { type: 'string', default: '' }, out: { type: 'string' } } });
  const content = IMAGES.get(values.app);
  if (content === undefined) throw new UsageError(`there is no image "${values.app}"`);
  if (values.out === undefined) throw new UsageError('--out is missing');
  await assembleImage({ content, out: resolve(values.out) });
  return 0;
}

process.exitCode = await runCommandLine(USAGE, main);
