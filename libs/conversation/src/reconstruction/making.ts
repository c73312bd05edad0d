import type { MessageUsage } from '@clew/contracts';
import type { Entry } from './entry.ts';
import type { SpanNode } from './span-index.ts';

const NANOS_PER_MILLISECOND = 1_000_000n;

/** Duration of a span in whole milliseconds; undefined for a span of zero length, whose end was not recorded. */
export function durationOf({ startNs, endNs }: SpanNode): number | undefined {
  return endNs > startNs ? Number((endNs - startNs) / NANOS_PER_MILLISECOND) : undefined;
}

/**
 * Notes on the answers of a call how they were made: the model on all of them, the tokens and the duration on the last
 * one, so that sums count them once. Existing facts stay: the first call that gave an answer made it.
 */
export function noteMaking(answers: readonly Entry[], node: SpanNode): void {
  const model = nearest(node, ({ facts }) => facts.model);
  const usage = nearest(node, usageOf);
  const durationMs = durationOf(node);
  answers.forEach((entry, index) => {
    entry.making ??= {
      ...(model === undefined ? {} : { model }),
      ...(usage === undefined || index < answers.length - 1 ? {} : { usage }),
      ...(durationMs === undefined || index < answers.length - 1 ? {} : { durationMs }),
    };
  });
}

/** Returns a fact from a call's span, or else from the nearest span around it that records the same call. */
function nearest<Fact>(start: SpanNode, factOf: (node: SpanNode) => Fact | undefined): Fact | undefined {
  const seen = new Set<SpanNode>();
  let node: SpanNode | undefined = start;
  while (node !== undefined && !seen.has(node) && (node === start || node.facts.kind === 'model_call')) {
    const fact = factOf(node);
    if (fact !== undefined) return fact;
    seen.add(node);
    node = node.parent;
  }
  return undefined;
}

function usageOf({ facts }: SpanNode): MessageUsage | undefined {
  const counted = Object.entries(facts.usage).filter(([, tokens]) => Number.isSafeInteger(tokens));
  return counted.length === 0 ? undefined : Object.fromEntries(counted);
}
