import type { MessageUsage } from '@clew/contracts';
import type { Entry } from './entry.ts';
import type { SpanNode } from './span-index.ts';

const NANOS_PER_MILLISECOND = 1_000_000n;

/** How long a span took, in whole milliseconds; undefined for one without a length, whose end was not recorded. */
export function durationOf({ startNs, endNs }: SpanNode): number | undefined {
  return endNs > startNs ? Number((endNs - startNs) / NANOS_PER_MILLISECOND) : undefined;
}

/**
 * Tells the answers of a call what made them: all of them the model, the last one the tokens and the time, so that
 * these count once where they are added up. What an answer knows already stays: the first call that gave it made it.
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

/** What a call's span says, else what the spans around it say that record the same call. */
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
