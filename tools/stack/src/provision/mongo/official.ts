import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Unavailable } from '../../system/errors.ts';
import { createDirectoryAtomic } from '../../system/files.ts';
import { CommandError, run } from '../../system/run.ts';
import type { ProvisionContext } from '../context.ts';

const TOTAL_TIMEOUT_MS = 150_000;
// The download reports every two seconds; verifying and unpacking are silent for a while.
const SILENCE_TIMEOUT_MS = 20_000;

/** Path of the downloaded official mongod. */
export function officialMongodFile(context: ProvisionContext): string {
  return path.join(context.cacheDirectory, `mongod-official-${process.platform}-${process.arch}`, 'mongod');
}

/**
 * Downloads the current official mongod with its checksum through mongodb-memory-server. It runs in a separate process,
 * so that it can be aborted at any time.
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
          // Skips the checksum file, which counts as 0 megabytes.
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
