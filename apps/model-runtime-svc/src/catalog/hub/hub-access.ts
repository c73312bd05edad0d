import type { Profile } from '../../shared/index.ts';
import type { HubClient } from './hub-client.ts';

/** The project's own token for the model hub. */
export type HubTokenOf = (projectId: string) => Promise<string | undefined>;

/**
 * Asks the hub whether a project may have a profile: to be asked also where its artifacts are on the machine, fetched
 * by another project. Throws GATED_REPOSITORY; what is open to everybody is not asked about.
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
