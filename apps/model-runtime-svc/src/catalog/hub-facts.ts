import { totalSizeBytes } from '@clew/model-runtime';
import { type ArtifactFile, memoryEstimateBytes, type Model, type Profile } from '../shared/index.ts';

/** Facts from the hub about a repository that the built-in catalog names. */
export interface HubFacts {
  repoId: string;
  revision: string;
  gated: boolean;
  downloads: number;
  likes: number;
  updatedAt: number;
  /** Files that the built-in catalog names. */
  files: { path: string; sizeBytes: number; sha256: string | null }[];
}

/** Adds to a built-in model the facts of the last refresh: sizes, hashes, and the commit that they belong to. */
export function withHubFacts(model: Model, factsByRepo: ReadonlyMap<string, HubFacts>): Model {
  const facts = factsByRepo.get(model.repoId ?? '');
  const profiles = model.profiles.map((profile) => profileWithFacts(profile, factsByRepo));
  if (facts === undefined) return { ...model, profiles };
  const { downloads, likes, updatedAt } = facts;
  return { ...model, profiles, downloads, likes, updatedAt, gated: profiles.some(isGated) };
}

function isGated({ files }: Profile): boolean {
  return files.some(({ source }) => source.kind === 'hub' && source.gated);
}

function profileWithFacts(profile: Profile, factsByRepo: ReadonlyMap<string, HubFacts>): Profile {
  const files = profile.files.map((file) => fileWithFacts(file, factsByRepo));
  if (files.every((file, index) => file === profile.files[index])) return profile;
  return { ...profile, files, memoryEstimateBytes: memoryEstimateBytes(totalSizeBytes(files), profile.contextLength) };
}

/**
 * Adds facts to a file. A file that the repository no longer holds keeps its name: the download then reports the
 * failure.
 */
function fileWithFacts(file: ArtifactFile, factsByRepo: ReadonlyMap<string, HubFacts>): ArtifactFile {
  const { source } = file;
  if (source.kind !== 'hub') return file;
  const facts = factsByRepo.get(source.repoId);
  const known = facts?.files.find(({ path }) => path === source.path);
  if (facts === undefined || known === undefined) return file;
  const { sizeBytes, sha256 } = known;
  return { ...file, sizeBytes, sha256, source: { ...source, revision: facts.revision, gated: facts.gated } };
}

/** Selects the files of a repository that models name; the repository may hold thousands. */
export function namedFiles(
  models: readonly Model[],
  repoId: string,
  files: readonly HubFacts['files'][number][],
): HubFacts['files'] {
  const named = new Set(
    sourcesOf(models).flatMap((source) => (source.kind === 'hub' && source.repoId === repoId ? [source.path] : [])),
  );
  return files.filter(({ path }) => named.has(path));
}

/** Repositories that hold files of the models, each once. */
export function repositoriesOf(models: readonly Model[]): string[] {
  const fromFiles = sourcesOf(models).flatMap((source) => (source.kind === 'hub' ? [source.repoId] : []));
  const named = models.flatMap(({ repoId }) => (repoId === null ? [] : [repoId]));
  return [...new Set([...fromFiles, ...named])];
}

function sourcesOf(models: readonly Model[]): ArtifactFile['source'][] {
  return models.flatMap(({ profiles }) => profiles.flatMap(({ files }) => files.map(({ source }) => source)));
}
