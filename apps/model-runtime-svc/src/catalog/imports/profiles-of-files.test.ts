import { describe, expect, it } from '@jest/globals';
import { profilesOfFiles } from './profiles-of-files.ts';

const REPOSITORY = { repoId: 'a/b', revision: 'c0ffee', gated: 'no', private: false, parametersByType: {} } as const;

function profilesOf(...paths: string[]) {
  const files = paths.map((path, index) => ({ path, sizeBytes: 1_000 + index, sha256: null }));
  return profilesOfFiles({ modelId: 'a--b', repository: REPOSITORY, files }).map(({ id, engine, files: its }) => ({
    id,
    engine,
    files: its.map(({ path }) => path),
  }));
}

describe('the profiles of a repository', () => {
  it('are one for each quantization of a GGUF model, also where two files claim the same one', () => {
    expect(profilesOf('m.Q8_0.gguf', 'm-Q4_K_M.gguf', 'sub/m-q4_k_m.gguf', 'm.gguf')).toEqual([
      { id: 'gguf-q4_k_m', engine: 'llama.cpp', files: ['m-Q4_K_M.gguf'] },
      { id: 'gguf-q4_k_m-2', engine: 'llama.cpp', files: ['sub/m-q4_k_m.gguf'] },
      { id: 'gguf-q8_0', engine: 'llama.cpp', files: ['m.Q8_0.gguf'] },
      { id: 'gguf-default', engine: 'llama.cpp', files: ['m.gguf'] },
    ]);
  });

  it('hold all parts of a model that is split, and leave out one that lacks a part', () => {
    const [profile, ...others] = profilesOf(
      'q/m-Q6_K-00002-of-00002.gguf',
      'q/m-Q6_K-00001-of-00002.gguf',
      'm-Q2_K-00001-of-00003.gguf',
    );
    expect(profile?.files).toEqual(['q/m-Q6_K-00001-of-00002.gguf', 'q/m-Q6_K-00002-of-00002.gguf']);
    expect(others).toEqual([]);
  });

  it('are none of files that belong to something else, and none of parts of a set', () => {
    expect(profilesOf('mmproj-model-f16.gguf', 'imatrix.gguf', 'README.md')).toEqual([]);
    expect(profilesOf('model.safetensors')).toEqual([]);
    expect(profilesOf('model.bin', 'config.json')).toEqual([]);
    expect(profilesOf('text_encoder/model.safetensors', 'config.json')).toEqual([]);
  });

  it('of safetensors take configuration and tokenizer with them, and the weights once', () => {
    const paths = [
      'config.json',
      'tokenizer.model',
      'model.safetensors',
      'consolidated.safetensors',
      'a/b.json',
      'x.py',
    ];
    expect(profilesOf(...paths)).toEqual([
      { id: 'safetensors-default', engine: 'vllm', files: ['config.json', 'model.safetensors', 'tokenizer.model'] },
    ]);
  });

  it('stay few, whatever the repository holds', () => {
    expect(profilesOf(...Array.from({ length: 500 }, (_, index) => `m${index}.gguf`))).toHaveLength(64);
  });
});
