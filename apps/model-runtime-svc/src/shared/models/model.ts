import type { ModelCategory, ModelFormat, ModelOrigin } from '@clew/contracts';
import { totalSizeBytes } from '@clew/model-runtime';
import type { Profile } from './profile.ts';

/** Model in the catalog: built in, imported, or seen on the hub. */
export interface Model {
  id: string;
  name: string;
  description: string;
  origin: ModelOrigin;
  category: ModelCategory;
  pipelineTag: string | null;
  tags: string[];
  license: string | null;
  repoId: string | null;
  gated: boolean;
  contextLength: number | null;
  downloads: number | null;
  likes: number | null;
  updatedAt: number | null;
  /** Formats of its files; for a discovered model they come from the hub's tags. */
  formats: ModelFormat[];
  /** Profiles, the best choice for most machines first. Empty for a discovered model until it is imported. */
  profiles: Profile[];
}

/** Id of a model that was imported from the hub. */
export function hubModelId(repoId: string): string {
  return repoId.replace('/', '--');
}

/** Size of the smallest profile: the minimum that the model needs. */
export function modelSizeBytes({ profiles }: Pick<Model, 'profiles'>): number | null {
  const sizes = profiles.map(({ files }) => totalSizeBytes(files)).filter((size) => size !== null);
  return sizes.length === 0 ? null : Math.min(...sizes);
}

const CATEGORY_OF_PIPELINE: Readonly<Record<string, ModelCategory>> = {
  'text-generation': 'chat',
  conversational: 'chat',
  'image-text-to-text': 'vision',
  'feature-extraction': 'embedding',
  'sentence-similarity': 'embedding',
  'automatic-speech-recognition': 'transcription',
  'text-ranking': 'reranking',
};

export function categoryOf(pipelineTag: string | null): ModelCategory {
  return CATEGORY_OF_PIPELINE[pipelineTag ?? ''] ?? 'other';
}
