import type { EngineName, ModelProfile } from '@clew/contracts';
import { contentOf, sha256Of } from './scripted.ts';

const KNOWN = /^(?:gated-|tiny|whisper|vast|huge|exits-at-once|ignores-term)/;
const TIB = 1024 ** 4;

export const PROFILE = 'q4';

/** Engine and profile of a test model, derived from its name. */
export function artifactOf(modelId: string): { engine: EngineName; profileId: string } {
  return { engine: modelId.startsWith('whisper') ? 'faster-whisper' : 'llama.cpp', profileId: PROFILE };
}

/** Profile of a test model found by its name: `vast` ones need more memory, and `huge` ones more disk, than there is. */
export function testProfile(modelId: string): ModelProfile | undefined {
  if (!KNOWN.test(modelId)) return undefined;
  const { engine, profileId } = artifactOf(modelId);
  // Models of the same family share a file.
  const paths = [`${modelId.split('.')[0] ?? ''}.gguf`, 'config.json'];
  return {
    id: profileId,
    modelId,
    format: 'gguf',
    quantization: null,
    engine,
    files: paths.map((path) => ({
      path,
      sizeBytes: modelId.startsWith('huge') ? 1024 * TIB : contentOf(path).length,
      sha256: sha256Of(contentOf(path)),
      source: { kind: 'package', index: 'pypi', package: 'models', version: '1', file: path },
    })),
    memoryEstimateBytes: modelId.startsWith('vast') ? 1024 * TIB : 1_000,
    contextLength: 2_048,
  };
}
