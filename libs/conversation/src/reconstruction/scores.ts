import type { Score } from '@clew/contracts';
import { derivedId } from '@clew/kernel';
import type { ReadScore } from '../dialects/index.ts';
import type { SpansRead } from './calls.ts';
import { epochMs } from './conversation-messages.ts';
import { nanos, type SpanNode } from './span-index.ts';

const MAX_NAME = 200;
const MAX_VALUE = 1_000;
const MAX_COMMENT = 10_000;

/** Evaluation events of a conversation, by time. The same event always has the same id. */
export function evaluatorScores({ readings }: SpansRead): Score[] {
  return readings
    .flatMap(({ node, reading }) => reading.scores.map((score) => toScore(node, score)))
    .sort((left, right) => left.createdAt - right.createdAt || (left.id < right.id ? -1 : 1));
}

function toScore({ span }: SpanNode, { name, value, label, comment, timeUnixNano }: ReadScore): Score {
  // The label is kept as a comment, because it tells how the evaluator judges the number.
  const words = [typeof value === 'number' ? label : undefined, comment].filter((text) => text !== undefined);
  return {
    id: derivedId('evt', span.traceId, span.spanId, name, timeUnixNano, String(value)),
    name: name.slice(0, MAX_NAME),
    value: typeof value === 'string' ? value.slice(0, MAX_VALUE) : value,
    traceId: span.traceId,
    ...(words.length === 0 ? {} : { comment: words.join(': ').slice(0, MAX_COMMENT) }),
    source: 'evaluator',
    createdAt: epochMs(nanos(timeUnixNano)),
  };
}
