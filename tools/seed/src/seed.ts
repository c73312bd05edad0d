import { encodeConversation } from '@clew/testing/dialects';
import { exportSpans } from './export-spans.ts';
import { planSeed } from './plan-seed.ts';
import type { Sample } from './read-samples.ts';

export interface SeedOptions {
  readonly gatewayUrl: string;
  readonly apiKey: string;
  readonly samples: readonly Sample[];
  readonly nowMs: number;
}

export interface SeedCounts {
  readonly conversations: number;
  readonly spans: number;
}

/** Sends the samples as an application would: encoded as spans of its instrumentation, over OTLP. */
export async function seed({ gatewayUrl, apiKey, samples, nowMs }: SeedOptions): Promise<SeedCounts> {
  const planned = planSeed(samples, nowMs);
  const spans = planned.flatMap(({ script, ...options }) => encodeConversation(script, options).spans);
  await exportSpans({ gatewayUrl, apiKey, spans });
  return { conversations: planned.length, spans: spans.length };
}
