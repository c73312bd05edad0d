import { createHash } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Resource } from '../../resources/index.ts';

/** The folders of a node: each incarnation has one of its own, so that the end of one touches no other. */
export interface Home {
  readonly path: string;
  readonly storeFolder: string;
  readonly processesFolder: string;
  folderOf(resource: Pick<Resource, 'id' | 'kind'>, generation: number): string;
  /** Removes the folders of incarnations up to this one, or before it. */
  removeUpTo(resource: Pick<Resource, 'id' | 'kind'>, generation: number): Promise<void>;
}

export async function openHome(path: string): Promise<Home> {
  await mkdir(path, { recursive: true });
  const all = ({ id, kind }: Pick<Resource, 'id' | 'kind'>) =>
    join(path, `${kind}s`, createHash('sha256').update(id).digest('hex').slice(0, 32));
  return {
    path,
    storeFolder: join(path, 'store'),
    processesFolder: join(path, 'processes'),
    folderOf: (resource, generation) => join(all(resource), String(generation)),
    async removeUpTo(resource, generation) {
      const names = await readdir(all(resource)).catch(() => []);
      const old = names.filter((name) => Number(name) <= generation);
      await Promise.all(old.map((name) => rm(join(all(resource), name), { recursive: true, force: true })));
      if (old.length === names.length) await rm(all(resource), { recursive: true, force: true });
    },
  };
}
