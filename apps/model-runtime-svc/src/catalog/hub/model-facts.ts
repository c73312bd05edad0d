import { readJson } from '@clew/kernel';
import { z } from 'zod';
import type { AttentionShape } from '../../shared/index.ts';

/** Facts that a file states about its model. */
export interface ModelFacts {
  contextLength: number | null;
  shape: AttentionShape | undefined;
}

const Count = z.coerce.number().int().min(1).max(100_000_000);

/** Reads facts from the metadata of a GGUF file, whose keys are named after the architecture. */
export function ggufFacts(metadata: Readonly<Record<string, unknown>>): ModelFacts {
  const architecture = String(metadata['general.architecture'] ?? '');
  const count = (key: string) => {
    const value = metadata[`${architecture}.${key}`];
    return typeof value === 'number' || typeof value === 'bigint' ? (Count.safeParse(value).data ?? null) : null;
  };
  const heads = count('attention.head_count');
  const width = count('embedding_length');
  return factsOf({
    contextLength: count('context_length'),
    layers: count('block_count'),
    keyValueHeads: count('attention.head_count_kv') ?? heads,
    headDimension: count('attention.key_length') ?? quotient(width, heads),
  });
}

const Config = z.object({
  max_position_embeddings: Count.nullish().catch(null),
  num_hidden_layers: Count.nullish().catch(null),
  num_attention_heads: Count.nullish().catch(null),
  num_key_value_heads: Count.nullish().catch(null),
  head_dim: Count.nullish().catch(null),
  hidden_size: Count.nullish().catch(null),
});

/** Reads facts from `config.json`; an unreadable file gives none. */
export function configFacts(text: string | undefined): ModelFacts {
  const config = Config.safeParse(parsed(text)).data ?? {};
  const heads = config.num_attention_heads ?? null;
  return factsOf({
    contextLength: config.max_position_embeddings ?? null,
    layers: config.num_hidden_layers ?? null,
    keyValueHeads: config.num_key_value_heads ?? heads,
    headDimension: config.head_dim ?? quotient(config.hidden_size ?? null, heads),
  });
}

function parsed(text: string | undefined): unknown {
  try {
    return readJson(text ?? 'null');
  } catch {
    return null;
  }
}

interface Numbers {
  contextLength: number | null;
  layers: number | null;
  keyValueHeads: number | null;
  headDimension: number | null;
}

function factsOf({ contextLength, layers, keyValueHeads, headDimension }: Numbers): ModelFacts {
  const isKnown = layers !== null && keyValueHeads !== null && headDimension !== null;
  return { contextLength, shape: isKnown ? { layers, keyValueHeads, headDimension } : undefined };
}

function quotient(value: number | null, divisor: number | null): number | null {
  return value === null || divisor === null ? null : Math.floor(value / divisor);
}
