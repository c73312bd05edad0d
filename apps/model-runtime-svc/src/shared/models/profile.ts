import type { ArtifactFile, EngineName, ModelFormat, ModelProfile } from '@clew/contracts';

export type { ArtifactFile, EngineName, ModelFormat };

/** One runnable artifact set of a model. */
export type Profile = ModelProfile;

/** Dimensions of a model's attention, which determine the size of its cache. */
export interface AttentionShape {
  layers: number;
  keyValueHeads: number;
  headDimension: number;
}

/** Maximum context length with which engines are started by default. */
export const DEFAULT_CONTEXT_LENGTH = 4_096;

const MIB = 1024 * 1024;
/** Memory of an engine in addition to weights and cache: code, graph, scratch buffers. */
const ENGINE_OVERHEAD_BYTES = 128 * MIB;
const CACHE_BYTES_PER_VALUE = 2;

/**
 * Estimates the memory of a running service: its weights, the cache of one context, and the engine itself. Null if the
 * size of the weights is not known.
 */
export function memoryEstimateBytes(
  weightBytes: number | null,
  contextLength: number | null,
  shape?: AttentionShape,
): number | null {
  if (weightBytes === null) return null;
  const context = Math.min(contextLength ?? DEFAULT_CONTEXT_LENGTH, DEFAULT_CONTEXT_LENGTH);
  const cacheBytes =
    shape === undefined
      ? 0
      : 2 * shape.layers * shape.keyValueHeads * shape.headDimension * CACHE_BYTES_PER_VALUE * context;
  return Math.ceil(weightBytes + cacheBytes + ENGINE_OVERHEAD_BYTES);
}
