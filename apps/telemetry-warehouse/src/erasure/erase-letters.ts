import { envelopeSchema } from '@clew/contracts';
import { readJson } from '@clew/kernel';
import { eraseLettersOf, QUEUES, type JudgeLetter } from '@clew/messaging';
import type { RefuseErased } from './refuse-erased.ts';

/** Goes through the warehouse's dead letters; returns the number removed or rewritten. */
export type SweepLetters = (judge: JudgeLetter) => Promise<number>;

/** Message of both lanes of spans. */
const SPANS = QUEUES.spansReceived.message;
const SpansReceived = envelopeSchema(SPANS);

/**
 * Judges dead letters when a conversation is erased; telemetry records are judged by the rule that refuses them on
 * arrival.
 */
export function judgeLettersOf(
  conversation: { projectId: string; conversationId: string },
  { withoutErased }: Pick<RefuseErased, 'withoutErased'>,
): JudgeLetter {
  const byName = eraseLettersOf(conversation);
  return async (body, queue) => {
    const envelope = queue.message === SPANS ? recordsIn(body) : undefined;
    if (envelope === undefined) return await byName(body, queue);
    if (envelope.projectId !== conversation.projectId) return 'keep';
    const data = await withoutErased(envelope.projectId, envelope.data);
    if (data === envelope.data) return 'keep';
    const isEmpty = data.groups.every(({ spans, logs }) => spans.length + logs.length === 0);
    return isEmpty ? 'erase' : { left: JSON.stringify({ ...envelope, data }) };
  };
}

function recordsIn(body: string) {
  try {
    return SpansReceived.parse(readJson(body));
  } catch {
    // The body is not a valid message, so nobody can process it.
    return undefined;
  }
}
