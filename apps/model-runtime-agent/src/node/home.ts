import { createHash } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Resource } from '@clew/model-runtime';
import { PRIVATE_FOLDERS, type EngineHost } from '../engine-host/index.ts';

/** Folders of an installation that engines write into. */
const WRITTEN_BY_ENGINES = ['venv', 'cache'] as const;

/** Folders of a node. Each incarnation of a resource has its own, so that removing one touches no other. */
export interface Home {
  readonly path: string;
  readonly storeFolder: string;
  readonly processesFolder: string;
  folderOf(resource: Pick<Resource, 'id' | 'kind'>, generation: number): string;
  /** Removes the folders of all incarnations up to and including this generation. */
  removeUpTo(resource: Pick<Resource, 'id' | 'kind'>, generation: number): Promise<void>;
}

/** Opens the folder of the models; engines may write only into the parts of it that are shared with them. */
export async function openHome(
  path: string,
  host: Pick<EngineHost, 'shareForPrivateFolders' | 'empty'>,
): Promise<Home> {
  const privateFolders = join(path, PRIVATE_FOLDERS);
  await mkdir(privateFolders, { recursive: true });
  await host.shareForPrivateFolders(privateFolders);
  // A hash, because ids hold characters that are not safe in a path.
  const folderOfAll = ({ id, kind }: Pick<Resource, 'id' | 'kind'>) =>
    join(path, `${kind}s`, createHash('sha256').update(id).digest('hex').slice(0, 32));
  return {
    path,
    storeFolder: join(path, 'store'),
    processesFolder: join(path, 'processes'),
    folderOf: (resource, generation) => join(folderOfAll(resource), String(generation)),
    async removeUpTo(resource, generation) {
      const parent = folderOfAll(resource);
      const names = await readdir(parent).catch(() => []);
      const old = names.filter((name) => Number(name) <= generation);
      await Promise.all(old.map((name) => removeFolder(join(parent, name), host)));
      if (old.length === names.length) await rm(parent, { recursive: true, force: true });
    },
  };
}

/**
 * Removes the folder of an incarnation. Files written by engines belong to their user, so the engine host removes
 * those.
 */
async function removeFolder(folder: string, host: Pick<EngineHost, 'empty'>): Promise<void> {
  for (const name of WRITTEN_BY_ENGINES) await host.empty(join(folder, name));
  await rm(folder, { recursive: true, force: true });
}
