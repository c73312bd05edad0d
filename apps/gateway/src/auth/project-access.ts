import type { IncomingMessage } from 'node:http';
import { AppError, notFound } from '@clew/kernel';
import { opensProject } from '../api-keys/api-key.ts';
import type { ProjectDirectory } from '../projects/project-directory.ts';
import { PROJECT_HEADER } from '../proxy/headers.ts';
import { isSignedIn, type Credential } from './credential.ts';

/** Throws NOT_FOUND unless the credential opens the project. */
export type ProjectAccess = (credential: Credential, projectId: string) => void | Promise<void>;

/**
 * Access check of projects. A credential for all projects opens those of its own workspace; it does not list them
 * itself. Of a person's projects one may have been deleted; a key loses a deleted project with the deletion.
 */
export function createProjectAccess(projects: Pick<ProjectDirectory, 'workspaceOf'>): ProjectAccess {
  return (credential, projectId) => {
    if (!opensProject(credential, projectId)) throw notFound();
    if (credential.projectIds !== 'all' && !isSignedIn(credential)) return;
    const workspaceId = projects.workspaceOf(projectId);
    if (workspaceId instanceof Promise) return workspaceId.then((found) => requireWorkspace(credential, found));
    requireWorkspace(credential, workspaceId);
  };
}

function requireWorkspace(credential: Credential, workspaceId: string | undefined): void {
  if (workspaceId !== credential.workspaceId) throw notFound();
}

/**
 * Project of a route that names none: the one in the `x-clew-project` header, else the credential's if it has exactly
 * one. A header that names a project the credential does not open is refused by the access check, not ignored.
 */
export function projectOfCall({ projectIds }: Credential, request: IncomingMessage): string {
  const named = request.headers[PROJECT_HEADER];
  if (typeof named === 'string' && named !== '') return named;
  const [only, ...others] = projectIds === 'all' ? [] : projectIds;
  if (only !== undefined && others.length === 0) return only;
  throw new AppError(
    'PROJECT_REQUIRED',
    `Several projects are open to the caller: name one in the header ${PROJECT_HEADER}`,
  );
}
