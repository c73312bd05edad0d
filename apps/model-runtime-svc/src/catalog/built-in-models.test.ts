import { describe, expect, it } from '@jest/globals';
import { CatalogModel, ModelProfile, RESERVED_MODEL_IDS } from '@clew/contracts';
import { modelSizeBytes } from '../shared/index.ts';
import { BUILT_IN_MODELS } from './built-in-models.ts';

const files = BUILT_IN_MODELS.flatMap(({ profiles }) => profiles.flatMap((profile) => profile.files));

describe('the built-in catalog', () => {
  it('has ids that are unique slugs and no path words', () => {
    const ids = BUILT_IN_MODELS.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) {
      expect(id).toMatch(/^[a-z0-9]+(?:[.-][a-z0-9_]+)*$/);
      expect(RESERVED_MODEL_IDS).not.toContain(id);
      // Ids of imported models contain it, so that built-in and imported ids cannot be confused.
      expect(id).not.toContain('--');
    }
  });

  it('is valid against the schemas of the API', () => {
    for (const model of BUILT_IN_MODELS) {
      CatalogModel.parse({ ...model, sizeBytes: modelSizeBytes(model), installed: false });
      for (const profile of model.profiles) expect(ModelProfile.parse(profile)).toEqual(profile);
    }
  });

  it('has a model for each task, and for chat and transcription one that needs no hub', () => {
    const withoutHub = BUILT_IN_MODELS.filter(({ profiles }) =>
      profiles.some((profile) => profile.files.every(({ source }) => source.kind === 'package')),
    );
    expect(new Set(BUILT_IN_MODELS.map(({ category }) => category))).toEqual(
      new Set(['chat', 'embedding', 'transcription']),
    );
    expect(withoutHub.map(({ id }) => id)).toEqual(['smollm2-135m-instruct', 'whisper-tiny.en']);
  });

  it('knows size and hash of every file of a package', () => {
    const fromPackages = files.filter(({ source }) => source.kind === 'package');
    expect(fromPackages.length).toBeGreaterThan(0);
    expect(fromPackages.filter(({ sizeBytes, sha256 }) => sizeBytes === null || sha256 === null)).toEqual([]);
  });

  it('names profiles once in each model, and only files that stay in the folder of the profile', () => {
    for (const { profiles } of BUILT_IN_MODELS) {
      expect(new Set(profiles.map(({ id }) => id)).size).toBe(profiles.length);
    }
    for (const { path } of files) expect(path).toMatch(/^[A-Za-z0-9][A-Za-z0-9._-]*$/);
  });

  it('estimates the memory of the small chat model from its weights and its cache', () => {
    const profile = BUILT_IN_MODELS.find(({ id }) => id === 'smollm2-135m-instruct')?.profiles[0];
    const cacheBytes = 2 * 30 * 3 * 64 * 2 * 4_096;
    expect(profile?.memoryEstimateBytes).toBe(98_362_432 + cacheBytes + 128 * 1024 * 1024);
  });
});
