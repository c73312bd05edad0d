import { LRUCache } from 'lru-cache';
import { idPattern } from '@clew/kernel';
import type { ProjectStore } from './projects.store.ts';

/** Tells which workspace a project belongs to; an answer that is known comes without a promise. */
export type ProjectDirectory = (projectId: string) => string | undefined | Promise<string | undefined>;

const PROJECT_ID = idPattern('prj');
const MAX_CACHED_PROJECTS = 10_000;

/** A project stays in its workspace for good, so what is known is kept; what is unknown may be made at any moment. */
export function createProjectDirectory(projects: Pick<ProjectStore, 'workspaceOf'>): ProjectDirectory {
  const workspaces = new LRUCache<string, string>({ max: MAX_CACHED_PROJECTS });
  return (projectId) => workspaces.get(projectId) ?? (PROJECT_ID.test(projectId) ? load(projectId) : undefined);

  async function load(projectId: string): Promise<string | undefined> {
    const workspaceId = await projects.workspaceOf(projectId);
    if (workspaceId !== undefined) workspaces.set(projectId, workspaceId);
    return workspaceId;
  }
}
