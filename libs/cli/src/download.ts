import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { StreamCall } from '@clew/sdk';
import type { Context, OptionSpec } from './command.ts';
import { own } from './options.ts';

/** Option that names the file of an export. */
export const OUTPUT: OptionSpec = own('-o, --output <file>', 'file to write');

/** Writes an export as it comes, to a file or to stdout. */
export async function download(context: Context, call: StreamCall<unknown>): Promise<void> {
  const file = context.text('output');
  const stream = Readable.fromWeb((await call.bytes()) as Parameters<typeof Readable.fromWeb>[0]);
  if (file === undefined) return await context.output.bytes(stream);
  await pipeline(stream, createWriteStream(context.path(file)), { signal: context.signal });
  await context.output.note(`Wrote ${file}`);
}
