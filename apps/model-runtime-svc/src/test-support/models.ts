import { testProfile } from '@clew/testing-model-runtime';
import type { Model } from '../shared/index.ts';

/** Test model found by its name, with its one profile. */
export function testModel(modelId: string): Model | undefined {
  const profile = testProfile(modelId);
  if (profile === undefined) return undefined;
  return {
    id: modelId,
    name: modelId,
    description: '',
    origin: 'builtin',
    category: profile.engine === 'faster-whisper' ? 'transcription' : 'chat',
    ...{ pipelineTag: null, tags: [], license: null, repoId: null, gated: modelId.startsWith('gated-') },
    ...{ contextLength: 2_048, downloads: null, likes: null, updatedAt: null, formats: ['gguf'] },
    profiles: [profile],
  };
}
