import type { Profile } from '../../shared/index.ts';
import type { HubClient } from './hub-client.ts';

/** Returns the project's own token for the model hub. */
export type HubTokenOf = (projectId: string) => Promise<string | undefined>;

/**
 * Asks the hub whether a project may have a profile. This is needed even if another project has already fetched its
 * artifacts to this machine. Throws GATED_REPOSITORY; files open to everybody are not asked about.
 */
export async function requireProfileAccess(
  hub: Pick<HubClient, 'requireAccess'>,
  hubTokenOf: HubTokenOf,
  request: { projectId: string; profile: Pick<Profile, 'files'>; signal: AbortSignal },
): Promise<void> {
  const gated = request.profile.files
    .map(({ source }) => source)
    .find((source) => source.kind === 'hub' && source.gated);
  if (gated?.kind !== 'hub') return;
  const token = await hubTokenOf(request.projectId);
  await hub.requireAccess(gated.repoId, gated.revision, gated.path, { token, signal: request.signal });
}
