import {
  extractionCompleted,
  MAX_ITEMS_OF_READING,
  type ConversationSnapshot,
  type EnvelopeOf,
  type ExtractedItem,
  type extractionRequested,
  type Rejections,
} from '@clew/contracts';
import type { ServiceClient } from '@clew/http';
import { createTokenBudget, InferenceError, type CallOptions, type InferenceClient } from '@clew/inference';
import type { Clock } from '@clew/kernel';
import { acceptItems, reject } from '@clew/knowledge';
import type { MessageContext, Publisher } from '@clew/messaging';
import { modelFailureOf } from '../model-failure.ts';
import type { ModelPlaces } from '../model-places.ts';
import { readSnapshot } from '../read-snapshot.ts';
import { askForClaims } from './ask-for-claims.ts';
import { embedItems } from './embed-items.ts';
import { entailedItems } from './entailment.ts';
import { planReading, type ReadingPlan } from './plan-reading.ts';

export interface ExtractDependencies {
  warehouse: ServiceClient;
  inference: InferenceClient;
  publisher: Publisher;
  clock: Clock;
  /** For readings alone. */
  inPlace: ModelPlaces;
}

export type ExtractionCommand = EnvelopeOf<typeof extractionRequested>;
type Outcome = EnvelopeOf<typeof extractionCompleted>['data']['outcome'];
type ExtractContext = Pick<MessageContext, 'signal' | 'beat' | 'logger'>;

/** What all calls of a reading have in common. */
type ReadingCall = CallOptions & { idempotencyKey: string };

interface Extracted {
  items: ExtractedItem[];
  rejected: Rejections;
  /** How many of the chunks were read. */
  chunks: number;
}

/** All calls of one reading, their repairs included, whatever the provider makes of the limits. */
const MAX_TOKENS = 400_000;

/**
 * Reads what is new in a snapshot for a goal, and tells the owner what of it is Knowledge, and what it cost. A model that
 * fails is told of as such, for the owner to decide when it is asked again: only what this system itself lacks is tried
 * again here.
 */
export function createExtract({ warehouse, inference, publisher, clock, inPlace }: ExtractDependencies) {
  /** What was read before a call fails stays read: the rest is asked for again, and fails for itself. */
  async function extractAll(
    command: ExtractionCommand,
    { chunks }: ReadingPlan,
    call: ReadingCall,
  ): Promise<Extracted> {
    const extracted: Extracted = { items: [], rejected: {}, chunks: 0 };
    for (const [position, chunk] of chunks.entries()) {
      try {
        const claims = await askForClaims(inference, command.data, chunk, keyed(call, `${position}`));
        const { items, rejected } = acceptItems(claims, [...chunk.fresh, ...chunk.context]);
        const kept = items.slice(0, MAX_ITEMS_OF_READING - extracted.items.length);
        extracted.items.push(...kept);
        reject(extracted.rejected, 'too_many', items.length - kept.length);
        for (const [reason, count] of Object.entries(rejected))
          reject(extracted.rejected, reason as keyof Rejections, count);
        extracted.chunks += 1;
      } catch (error) {
        if (position === 0 || !(error instanceof InferenceError)) throw error;
        break;
      }
    }
    return extracted;
  }

  async function read(command: ExtractionCommand, snapshot: ConversationSnapshot, call: ReadingCall): Promise<Outcome> {
    const { alreadyRead, minNewTokens, capabilities, embeddingModel } = command.data;
    const plan = planReading(snapshot.messages, { alreadyRead, contextLength: capabilities?.contextLength ?? null });
    if (plan.newTokens < minNewTokens) return { status: 'waiting', newTokens: plan.newTokens };
    try {
      const { items, rejected, chunks } = await extractAll(command, plan, call);
      const entailed = await entailedItems(inference, items, keyed(call, 'entailment'));
      reject(rejected, 'not_entailed', items.length - entailed.length);
      const embedded = await embedItems(inference, entailed, embeddingModel, keyed(call, 'embedding'));
      const isComplete = plan.isComplete && chunks === plan.chunks.length;
      return { status: 'read', items: embedded, rejected, newlyRead: plan.readAfter(chunks), isComplete };
    } catch (error) {
      if (!(error instanceof InferenceError)) throw error;
      return modelFailureOf(error);
    }
  }

  return async (command: ExtractionCommand, context: ExtractContext): Promise<void> => {
    const { signal, beat, logger } = context;
    const budget = createTokenBudget(MAX_TOKENS);
    const { projectId, requestId, id: idempotencyKey } = command;
    const call = { projectId, budget, signal, beat, idempotencyKey, ...(requestId === null ? {} : { requestId }) };
    const outcome = await inPlace(command, context, async (): Promise<Outcome> => {
      const snapshot = await readSnapshot(warehouse, command, signal);
      if (snapshot === undefined) return { status: 'failed', reason: 'The snapshot no longer exists' };
      return await read(command, snapshot, call);
    });
    signal.throwIfAborted();
    const { status } = outcome;
    if (status === 'failed' || status === 'later') logger.info({ outcome }, 'a conversation was not read');
    await publisher.publish(extractionCompleted, {
      // One command, one result: its owner takes it once, however often the command was worked through.
      id: `${extractionCompleted.type}:${command.id}`,
      type: extractionCompleted.type,
      version: extractionCompleted.version,
      occurredAt: clock.now(),
      ...{ projectId, requestId },
      data: { ...readingOf(command), calls: budget.usage.calls, tokens: budget.usage.totalTokens, outcome },
    });
  };
}

/** What names a reading. */
function readingOf({ data }: ExtractionCommand) {
  const { readingId, goalId, goalRevision, conversationId, snapshotId, model, round } = data;
  return { readingId, goalId, goalRevision, conversationId, snapshotId, model, round };
}

/** Another call of the same work has another key. */
function keyed(call: ReadingCall, suffix: string): ReadingCall {
  return { ...call, idempotencyKey: `${call.idempotencyKey}:${suffix}` };
}
