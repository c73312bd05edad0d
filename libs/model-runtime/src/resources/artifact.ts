import { createHash } from 'node:crypto';
import type { ArtifactFile, ModelProfile } from '@clew/contracts';

/** Artifacts that are to be on disk for a profile. */
export interface ArtifactSpec {
  profile: ModelProfile;
  /** Project whose access to the hub is used for the download. */
  projectId: string;
}

export interface ArtifactOutcome {
  files: { path: string; sha256: string; sizeBytes: number }[];
  sizeBytes: number;
}

/**
 * Key of a profile's artifacts, derived from their content: the same for every project with the same files, and a
 * different one if a repository is imported again with other files.
 */
export function artifactKey({ modelId, id, files }: Pick<ModelProfile, 'modelId' | 'id' | 'files'>): string {
  const content = files
    .map(({ path, sha256, source }) => JSON.stringify([path, sha256, Object.entries(source).sort()]))
    .sort();
  const hash = createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 16);
  return `${modelId}/${id}/${hash}`;
}

/** Whether fetched files match the profile's current ones; a file without a known hash is compared by name. */
export function isContentOf({ files }: ArtifactOutcome, profile: Pick<ModelProfile, 'files'>): boolean {
  const hashes = new Map(files.map(({ path, sha256 }) => [path, sha256]));
  return (
    hashes.size === profile.files.length &&
    profile.files.every(({ path, sha256 }) => hashes.has(path) && (sha256 === null || hashes.get(path) === sha256))
  );
}

/** Total size of all files; null if one of the sizes is not known. */
export function totalSizeBytes(files: readonly Pick<ArtifactFile, 'sizeBytes'>[]): number | null {
  let total = 0;
  for (const { sizeBytes } of files) {
    if (sizeBytes === null) return null;
    total += sizeBytes;
  }
  return total;
}
