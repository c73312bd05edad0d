import type { LogRecord } from '@clew/contracts';
import { toTelemetryGroups, type EncodedConversation } from '@clew/testing';
import type { StoredSpan } from '../../dialects/index.ts';

export interface Records {
  spans: StoredSpan[];
  logs: LogRecord[];
}

/** Converts encoded telemetry to its stored form. */
export function recordsOf(encoded: EncodedConversation): Records {
  const groups = toTelemetryGroups(encoded);
  return {
    spans: groups.flatMap(({ spans, resource, scopeName }) => spans.map((span) => ({ ...span, resource, scopeName }))),
    logs: groups.flatMap(({ logs }) => logs),
  };
}

/** Shuffles the records and repeats some of them, determined by the seed. */
export function repeatedAndShuffled({ spans, logs }: Records, seed: number): Records {
  const random = randomNumbers(seed);
  return { spans: shuffled(withRepeats(spans, random), random), logs: shuffled(withRepeats(logs, random), random) };
}

/** Linear congruential generator: numbers from 0 to 1, the same for the same seed. */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function withRepeats<Item>(items: readonly Item[], random: () => number): Item[] {
  return items.flatMap((item) => (random() < 0.3 ? [item, structuredClone(item)] : [item]));
}

function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((left, right) => left.at - right.at)
    .map(({ item }) => item);
}
