import { createHash } from 'node:crypto';
import type { Profile } from '../shared/index.ts';

/** What is to be on the disk for a profile. */
export interface ArtifactSpec {
  profile: Profile;
  /** With whose access to the hub it is fetched. */
  projectId: string;
}

export interface ArtifactOutcome {
  files: { path: string; sha256: string; sizeBytes: number }[];
  sizeBytes: number;
}

/**
 * Names the artifacts of a profile by what they are made of: the same for every project that has the same files, and
 * another one when a repository that was imported again has other files.
 */
export function artifactKey({ modelId, id, files }: Pick<Profile, 'modelId' | 'id' | 'files'>): string {
  const content = files
    .map(({ path, sha256, source }) => JSON.stringify([path, sha256, Object.entries(source).sort()]))
    .sort();
  const hash = createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 16);
  return `${modelId}/${id}/${hash}`;
}

/** Whether what was fetched is what the profile names now; a file whose hash nobody knows is taken by its name. */
export function isContentOf({ files }: ArtifactOutcome, profile: Pick<Profile, 'files'>): boolean {
  const hashes = new Map(files.map(({ path, sha256 }) => [path, sha256]));
  return (
    hashes.size === profile.files.length &&
    profile.files.every(({ path, sha256 }) => hashes.has(path) && (sha256 === null || hashes.get(path) === sha256))
  );
}
