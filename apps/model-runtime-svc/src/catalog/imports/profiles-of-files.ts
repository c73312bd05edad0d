import { parseGgufShardFilename, parseGGUFQuantLabel } from '@huggingface/gguf';
import { totalSizeBytes } from '@clew/model-runtime';
import { type ArtifactFile, memoryEstimateBytes, type Profile } from '../../shared/index.ts';
import type { HubListedFile, HubRepository } from '../hub/hub-client.ts';
import type { ModelFacts } from '../hub/model-facts.ts';

export interface RepositoryContent {
  modelId: string;
  repository: Pick<HubRepository, 'repoId' | 'revision' | 'gated' | 'private' | 'parametersByType'>;
  files: readonly HubListedFile[];
}

/** Maximum number of profiles: a repository with more would be a collection of models, not one model. */
const MAX_PROFILES = 64;
const MAX_FILES = 500;
/** Quantizations that suit most machines, which come first; the others are sorted by size. */
const PREFERRED = ['Q4_K_M', 'Q4_K_S', 'Q4_0', 'Q5_K_M', 'Q8_0'];

/**
 * Finds the artifact sets of a repository that an engine here can run; each quantization of a GGUF model is one set.
 */
export function profilesOfFiles(content: RepositoryContent): Profile[] {
  const profiles = [...ggufProfiles(content), ...ctranslate2Profiles(content), ...safetensorsProfiles(content)];
  return profiles.filter(({ files }) => files.length <= MAX_FILES).slice(0, MAX_PROFILES);
}

/** Adds to a profile the facts that its files state about the model. */
export function withFacts(profile: Profile, { contextLength, shape }: ModelFacts): Profile {
  const bytes = totalSizeBytes(profile.files);
  return { ...profile, contextLength, memoryEstimateBytes: memoryEstimateBytes(bytes, contextLength, shape) };
}

function ggufProfiles(content: RepositoryContent): Profile[] {
  // Excludes projectors and calibration data, which belong to other models and are none themselves.
  const models = content.files.filter(({ path }) => /\.gguf$/i.test(path) && !/(?:mmproj|imatrix)/i.test(path));
  const sets = Map.groupBy(models, ({ path }) => {
    const shard = parseGgufShardFilename(path);
    return shard === null ? path : `${shard.prefix} of ${shard.total}`;
  });
  const used = new Set<string>();
  const profiles = [...sets.values()].flatMap((files) => {
    const [first] = files;
    const expected = first === undefined ? undefined : parseGgufShardFilename(first.path)?.total;
    // An incomplete set cannot run.
    if (first === undefined || (expected !== undefined && files.length !== Number(expected))) return [];
    const quantization = parseGGUFQuantLabel(first.path) ?? null;
    const id = uniqueId(`gguf-${quantization?.toLowerCase() ?? 'default'}`, used);
    return [profileOf(content, { id, format: 'gguf', engine: 'llama.cpp', quantization }, files)];
  });
  return profiles.toSorted((one, other) => rank(one) - rank(other));
}

function rank({ quantization, files }: Profile): number {
  const preference = PREFERRED.indexOf(quantization ?? '');
  return preference === -1 ? PREFERRED.length + (totalSizeBytes(files) ?? 0) : preference;
}

const CTRANSLATE2_FILES =
  /^(?:model\.bin|config\.json|tokenizer\.json|vocabulary\.(?:txt|json)|preprocessor_config\.json)$/;

function ctranslate2Profiles(content: RepositoryContent): Profile[] {
  const files = content.files.filter(({ path }) => CTRANSLATE2_FILES.test(path));
  const has = (name: RegExp) => files.some(({ path }) => name.test(path));
  if (!has(/^model\.bin$/) || !has(/^config\.json$/) || !has(/^vocabulary\./)) return [];
  const identity = { id: 'ctranslate2', format: 'ctranslate2', engine: 'faster-whisper', quantization: null } as const;
  return [profileOf(content, identity, files)];
}

const WEIGHTS = /^[^/]+\.safetensors$/;
const COMPANIONS = /^[^/]+\.(?:json|txt|model|jinja|tiktoken)$/;

function safetensorsProfiles(content: RepositoryContent): Profile[] {
  const weights = content.files.filter(({ path }) => WEIGHTS.test(path));
  const named = weights.filter(({ path }) => /^model(?:-\d+-of-\d+)?\.safetensors$/.test(path));
  const companions = content.files.filter(({ path }) => COMPANIONS.test(path));
  if (weights.length === 0 || !companions.some(({ path }) => path === 'config.json')) return [];
  const [type] = Object.entries(content.repository.parametersByType).toSorted(([, one], [, other]) => other - one);
  const quantization = type?.[0] ?? null;
  const id = `safetensors-${quantization?.toLowerCase().replace(/[^a-z0-9]+/g, '-') ?? 'default'}`;
  // Some repositories hold the same weights a second time under another name.
  const files = [...companions, ...(named.length > 0 ? named : weights)];
  return [profileOf(content, { id, format: 'safetensors', engine: 'vllm', quantization }, files)];
}

type Identity = Pick<Profile, 'id' | 'format' | 'engine' | 'quantization'>;

function profileOf(
  { modelId, repository }: RepositoryContent,
  identity: Identity,
  listed: readonly HubListedFile[],
): Profile {
  const { repoId, revision } = repository;
  const gated = repository.private || repository.gated !== 'no';
  const files = listed
    .map(({ path, sizeBytes, sha256 }): ArtifactFile => {
      return { path, sizeBytes, sha256, source: { kind: 'hub', repoId, revision, path, gated } };
    })
    .toSorted((one, other) => (one.path < other.path ? -1 : 1));
  const estimate = memoryEstimateBytes(totalSizeBytes(files), null);
  return { ...identity, modelId, files, memoryEstimateBytes: estimate, contextLength: null };
}

function uniqueId(wanted: string, used: Set<string>): string {
  let id = wanted;
  for (let number = 2; used.has(id); number += 1) id = `${wanted}-${number}`;
  used.add(id);
  return id;
}
