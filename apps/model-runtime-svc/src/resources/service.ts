import type { EngineName, ModelCategory } from '@clew/contracts';
import type { Profile } from '../shared/index.ts';

/** What a service is started with; two that differ are not the same service. */
export interface ServiceSpec {
  engine: EngineName;
  engineId: string;
  engineGeneration: number;
  artifactId: string;
  artifactGeneration: number;
  modelId: string;
  profileId: string;
  category: ModelCategory;
  memoryEstimateBytes: number | null;
  contextLength: number;
  parallelRequests: number;
  /** Null: it runs until it is stopped. */
  idleTimeoutMs: number | null;
}

/** Where a service answers. Its key is derived from its nonce by whoever may call it, and written nowhere. */
export interface ServiceOutcome {
  host: string;
  port: number;
  nonce: string;
}

export const DEFAULT_SERVICE_CONTEXT_LENGTH = 4_096;
export const DEFAULT_PARALLEL_REQUESTS = 2;

/** A context that is longer than what the model was made for gives nonsense. */
export function contextLengthOf(profile: Pick<Profile, 'contextLength'>, wanted: number | undefined): number {
  const longest = profile.contextLength ?? Number.POSITIVE_INFINITY;
  return Math.min(wanted ?? DEFAULT_SERVICE_CONTEXT_LENGTH, longest);
}
