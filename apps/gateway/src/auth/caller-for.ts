import type { IncomingMessage } from 'node:http';
import { AppError, notFound } from '@clew/kernel';
import { opensProject, type StoredApiKey } from '../api-keys/api-key.ts';
import type { GatewayCaller } from '../caller.ts';
import { PROJECT_HEADER } from '../proxy/headers.ts';

/** The caller that a key is, for the project of a path, or of no project. */
export function callerFor(key: StoredApiKey, projectId: string | undefined): GatewayCaller {
  if (projectId !== undefined && !opensProject(key, projectId)) throw notFound();
  return {
    principal: { kind: 'key', id: key.id, scopes: key.scopes },
    workspaceId: key.workspaceId,
    projectIds: key.projectIds,
    ...(projectId === undefined ? {} : { projectId }),
  };
}

/**
 * The project of a route that names none: that of the key when it is for one, else the `x-clew-project` header.
 * A header that names another project than the key's is refused rather than overruled.
 */
export function projectOfCall(key: StoredApiKey, request: IncomingMessage): string {
  const named = request.headers[PROJECT_HEADER];
  const only = key.projectIds !== 'all' && key.projectIds.length === 1 ? key.projectIds[0] : undefined;
  if (typeof named === 'string' && named !== '') {
    if (!opensProject(key, named)) throw notFound();
    return named;
  }
  if (only !== undefined) return only;
  throw new AppError('PROJECT_REQUIRED', `The key opens several projects: name one in the header ${PROJECT_HEADER}`);
}
