// Fetches one file of a hub onto a disk that is too small for it, enlarges the disk, and fetches the file again, in a
// mount namespace of its own:
// node --conditions=clew-source full-disk-process.ts <hub> <mount point> <bytes of the disk>
import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { AppError } from '@clew/kernel';
import { hubFile } from './hub-file.ts';
import { transferIn } from './transfer.ts';

const run = promisify(execFile);
const [hubUrl = '', folder = '', diskBytes = ''] = process.argv.slice(2);
const signal = new AbortController().signal;

await run('mount', ['-t', 'tmpfs', '-o', `size=${diskBytes}`, 'tmpfs', folder]);
// The check at the start sees enough room, so the disk fills up only later.
const transfer = transferIn({ hubUrl, folder, freeBytes: async () => Number.MAX_SAFE_INTEGER });
const request = { file: hubFile('model.gguf'), destination: transfer.destination('model.gguf'), signal };
const failure: unknown = await transfer.fetchArtifact(request).catch((error: unknown) => error);
const isThere = await stat(request.destination).then(
  () => true,
  () => false,
);
process.stdout.write(
  `${JSON.stringify({ code: failure instanceof AppError ? failure.code : String(failure), isThere })}\n`,
);
await run('mount', ['-o', `remount,size=${4 * Number(diskBytes)}`, folder]);
await transfer.fetchArtifact(request);
const sha256 = createHash('sha256')
  .update(await readFile(request.destination))
  .digest('hex');
process.stdout.write(`${JSON.stringify({ sha256 })}\n`);
await transfer.close();
