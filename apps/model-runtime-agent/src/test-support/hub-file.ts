import type { ArtifactFile } from '@clew/contracts';

/** File of a repository of the loopback hub, as an import records it. */
export function hubFile(
  path: string,
  facts: Partial<ArtifactFile> & { gated?: boolean; repoId?: string } = {},
): ArtifactFile {
  const { gated = false, repoId = REPO_ID, ...rest } = facts;
  return {
    path,
    sizeBytes: null,
    sha256: null,
    source: { kind: 'hub', repoId, revision: 'main', path, gated },
    ...rest,
  };
}

export const REPO_ID = 'clew-tests/tiny';
