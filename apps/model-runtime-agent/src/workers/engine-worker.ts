import { readJson } from '@clew/kernel';
import { mkdir, open, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { EngineOutcome, EngineSpec } from '@clew/model-runtime';
import type { EngineHost } from '../engine-host/index.ts';
import type { Home, ReadGpus } from '../node/index.ts';
import type { Worker } from '../reconcile/index.ts';
import type { EngineDrivers } from '../drivers/index.ts';

export interface EngineWorkerOptions {
  home: Home;
  drivers: EngineDrivers;
  host: EngineHost;
  readGpus: ReadGpus;
}

/** File that marks the folder of a complete installation. */
const MARKER = 'installed.json';
const Marker = z.object({ version: z.string() });

export async function isInstalled(folder: string, version: string): Promise<boolean> {
  const text = await readFile(join(folder, MARKER), 'utf8').catch(() => undefined);
  return text !== undefined && Marker.parse(readJson(text)).version === version;
}

/** Installs and removes engines. */
export function createEngineWorker({ home, host, drivers, readGpus }: EngineWorkerOptions): Worker {
  return {
    async present(resource, task): Promise<EngineOutcome> {
      const { engine, version } = resource.spec as EngineSpec;
      const folder = home.folderOf(resource, resource.generation);
      if (!(await isInstalled(folder, version))) {
        // An installation left incomplete by a killed agent starts anew.
        await home.removeUpTo(resource, resource.generation);
        await mkdir(folder, { recursive: true });
        await drivers[engine].install({
          folder,
          host,
          gpus: await readGpus(),
          signal: task.signal,
          stage: task.stage,
          line: task.line,
        });
        task.signal.throwIfAborted();
        await mark(folder, { version });
      }
      return { version };
    },
    absent: (resource) => home.removeUpTo(resource, resource.generation),
  };
}

async function mark(folder: string, content: z.infer<typeof Marker>): Promise<void> {
  const file = join(folder, MARKER);
  await writeFile(`${file}.new`, JSON.stringify(content));
  const handle = await open(`${file}.new`, 'r');
  await handle.sync();
  await handle.close();
  await rename(`${file}.new`, file);
}
