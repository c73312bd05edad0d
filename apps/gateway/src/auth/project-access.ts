import type { IncomingMessage } from 'node:http';
import { AppError, notFound } from '@clew/kernel';
import { opensProject, type StoredApiKey } from '../api-keys/api-key.ts';
import type { ProjectDirectory } from '../projects/project-directory.ts';
import { PROJECT_HEADER } from '../proxy/headers.ts';

/** Throws NOT_FOUND unless the key opens the project. */
export type ProjectAccess = (key: StoredApiKey, projectId: string) => void | Promise<void>;

/** Access check of projects. A key for all projects opens those of its own workspace; it does not list them itself. */
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
 * Project of a route that names none: the one in the `x-clew-project` header, else the key's if it has exactly one. A
 * header that names a project the key does not open is refused by the access check, not ignored.
 */
export function projectOfCall(key: StoredApiKey, request: IncomingMessage): string {
  const named = request.headers[PROJECT_HEADER];
  if (typeof named === 'string' && named !== '') return named;
  const [only, ...others] = key.projectIds === 'all' ? [] : key.projectIds;
  if (only !== undefined && others.length === 0) return only;
  throw new AppError('PROJECT_REQUIRED', `The key opens several projects: name one in the header ${PROJECT_HEADER}`);
}
