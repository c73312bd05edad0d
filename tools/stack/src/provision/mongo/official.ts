import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Unavailable } from '../../system/errors.ts';
import { createDirectoryAtomic } from '../../system/files.ts';
import { CommandError, run } from '../../system/run.ts';
import type { ProvisionContext } from '../context.ts';

const TOTAL_TIMEOUT_MS = 150_000;
// The download reports every two seconds; checking and unpacking afterwards are silent for a while.
const SILENCE_TIMEOUT_MS = 20_000;

/** Where the official mongod is kept once it was fetched. */
export function officialMongodFile(context: ProvisionContext): string {
  return path.join(context.cacheDirectory, `mongod-official-${process.platform}-${process.arch}`, 'mongod');
}

/**
 * Fetches the current official mongod through mongodb-memory-server, with its checksum. In a process of its own, so
 * that it can be given up at any time.
 */
export async function mongodFromOfficialDownload(context: ProvisionContext): Promise<string> {
  const file = officialMongodFile(context);
  if (fs.existsSync(file)) return file;
  const script = fileURLToPath(new URL('./official-download.ts', import.meta.url));
  await createDirectoryAtomic(path.dirname(file), async (directory) => {
    try {
      await run(process.execPath, [script, directory], {
        env: { ...context.env, NODE_USE_ENV_PROXY: '1' },
        signal: context.signal,
        timeoutMs: TOTAL_TIMEOUT_MS,
        silenceTimeoutMs: SILENCE_TIMEOUT_MS,
        onLine: (line) => {
          // The checksum's file, which counts as no megabytes, is not worth a line.
          if (line.startsWith('Downloading') && !line.includes('/ 0mb')) context.log(line.trim());
        },
      });
    } catch (error) {
      if (!(error instanceof CommandError) || context.signal.aborted) throw error;
      throw new Unavailable(/^Unavailable: (.*)$/m.exec(error.output)?.[1] ?? `the download ${error.ending}`);
    }
  });
  return file;
}
