import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import type { UploadProgress } from '@clew/sdk';
import type { Context } from './command.ts';
import { EXIT, usageError } from './exit.ts';
import type { Column } from './output/cells.ts';
import { progressOn } from './progress.ts';

/** Line of a file that was not taken, and why. */
export interface RefusedLine {
  line: number;
  path: string;
  reason: string;
}

/** Body of an upload: a file, which is read as it is sent, or what is piped in. */
export type UploadSource = Blob | AsyncIterable<Uint8Array>;

/** One of the files that are sent, and its place among them. */
export interface Upload {
  name: string;
  source: UploadSource;
  onProgress(progress: UploadProgress): void;
}

const MAX_SHOWN = 20;

/** Sends files one after the other, shows how far all of them are together, and what became of each. */
export async function uploadEach<Report extends { refused: readonly RefusedLine[] }>(
  context: Context,
  names: readonly string[],
  columns: readonly Column<Report>[],
  send: (upload: Upload) => Promise<Report>,
): Promise<number> {
  const { io, output } = context;
  const sources = await Promise.all(names.map((name) => sourceOf(context, name)));
  const sizes = sources.map((source) => (source instanceof Blob ? source.size : null));
  const total = sizes.includes(null) ? null : sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
  const isShown = !context.flag('quiet') && output.form !== 'json' && output.form !== 'ndjson';
  const progress = progressOn(io);
  let before = 0;
  let refusedCount = 0;
  for (const [at, source] of sources.entries()) {
    const name = names[at] ?? '';
    const label = names.length === 1 ? basename(name) : `${at + 1} of ${names.length} ${basename(name)}`;
    const onProgress = ({ sentBytes }: UploadProgress) => {
      if (isShown) progress.bytes({ done: before + sentBytes, total, label });
    };
    const report = await send({ name, source, onProgress }).finally(() => progress.end());
    const { refused } = report;
    before += sizes[at] ?? 0;
    refusedCount += refused.length;
    await output.rows([report], columns, report);
    for (const { line, path, reason } of refused.slice(0, MAX_SHOWN)) {
      await output.note(`${name}:${line}: ${path === '' ? '' : `${path}: `}${reason}`);
    }
    if (refused.length > MAX_SHOWN) await output.note(`... ${refused.length - MAX_SHOWN} more refused lines`);
  }
  return refusedCount > 0 ? EXIT.refusedLines : EXIT.done;
}

async function sourceOf({ io, path }: Context, name: string): Promise<UploadSource> {
  if (name === '-') return io.stdin;
  try {
    return await openAsBlob(path(name));
  } catch (error) {
    throw usageError(`Cannot read ${name}: ${(error as NodeJS.ErrnoException).code ?? (error as Error).message}`);
  }
}
