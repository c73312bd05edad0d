import type { EngineName, ModelCategory, ModelProfile } from '@clew/contracts';

/** Specification with which a service is started; two that differ are different services. */
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
  /** Null means that it runs until it is stopped. */
  idleTimeoutMs: number | null;
}

/** Address of a ready service. Its key is derived from the nonce by processes that may call it, and stored nowhere. */
export interface ServiceOutcome {
  host: string;
  port: number;
  nonce: string;
}

export const DEFAULT_SERVICE_CONTEXT_LENGTH = 4_096;
export const DEFAULT_PARALLEL_REQUESTS = 2;

/** Limits the context: one longer than the model's own gives nonsense. */
export function contextLengthOf(profile: Pick<ModelProfile, 'contextLength'>, wanted: number | undefined): number {
  const longest = profile.contextLength ?? Number.POSITIVE_INFINITY;
  return Math.min(wanted ?? DEFAULT_SERVICE_CONTEXT_LENGTH, longest);
}
