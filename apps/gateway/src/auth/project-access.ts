import type { IncomingMessage } from 'node:http';
import { AppError, notFound } from '@clew/kernel';
import { opensProject, type StoredApiKey } from '../api-keys/api-key.ts';
import type { ProjectDirectory } from '../projects/project-directory.ts';
import { PROJECT_HEADER } from '../proxy/headers.ts';

/** Throws NOT_FOUND unless a key opens a project. */
export type ProjectAccess = (key: StoredApiKey, projectId: string) => void | Promise<void>;

/** A key for all projects opens those of its own workspace, which the key itself does not list. */
export function createProjectAccess(projects: Pick<ProjectDirectory, 'workspaceOf'>): ProjectAccess {
  return (key, projectId) => {
    if (!opensProject(key, projectId)) throw notFound();
    if (key.projectIds !== 'all') return;
    const workspaceId = projects.workspaceOf(projectId);
    if (workspaceId instanceof Promise) return workspaceId.then((found) => requireWorkspace(key, found));
    requireWorkspace(key, workspaceId);
  };
}

function requireWorkspace(key: StoredApiKey, workspaceId: string | undefined): void {
  if (workspaceId !== key.workspaceId) throw notFound();
}

/**
 * The project of a route that names none: what the `x-clew-project` header says, else that of the key when it is for
 * one. A header that names another project than the key's is refused by the access check rather than overruled.
 */
export function projectOfCall(key: StoredApiKey, request: IncomingMessage): string {
  const named = request.headers[PROJECT_HEADER];
  if (typeof named === 'string' && named !== '') return named;
  const [only, ...others] = key.projectIds === 'all' ? [] : key.projectIds;
  if (only !== undefined && others.length === 0) return only;
  throw new AppError('PROJECT_REQUIRED', `The key opens several projects: name one in the header ${PROJECT_HEADER}`);
}
