import { LRUCache } from 'lru-cache';
import { idPattern } from '@clew/kernel';
import type { CacheLookups } from '@clew/runtime';
import type { ProjectStore } from './projects.store.ts';

export interface ProjectDirectory {
  /** Finds the workspace of a project; a cached answer is returned without a promise. */
  workspaceOf(projectId: string): string | undefined | Promise<string | undefined>;
  /** Drops a deleted project. */
  forget(projectId: string): void;
}

const PROJECT_ID = idPattern('prj');
const MAX_CACHED_PROJECTS = 10_000;

/**
 * Directory that caches only projects that exist. A project stays in its workspace until it is deleted, which another
 * replica notices after `cacheMs`; an unknown project may be created at any moment.
 */
export function createProjectDirectory(
  projects: Pick<ProjectStore, 'workspaceOf'>,
  lookups: CacheLookups,
  cacheMs: number,
): ProjectDirectory {
  const workspaces = new LRUCache<string, string>({ max: MAX_CACHED_PROJECTS, ttl: Math.max(1, cacheMs) });
  return {
    workspaceOf(projectId) {
      const known = workspaces.get(projectId);
      if (known === undefined && !PROJECT_ID.test(projectId)) return undefined;
      if (known === undefined) lookups.miss();
      else lookups.hit();
      return known ?? load(projectId);
    },
    forget: (projectId) => void workspaces.delete(projectId),
  };

  async function load(projectId: string): Promise<string | undefined> {
    const workspaceId = await projects.workspaceOf(projectId);
    if (workspaceId !== undefined) workspaces.set(projectId, workspaceId);
    return workspaceId;
  }
}
