import {
  extractionCompleted,
  MAX_ITEMS_OF_EXTRACTION,
  type ConversationSnapshot,
  type EnvelopeOf,
  type ExtractedItem,
  type extractionRequested,
  type RejectionReason,
  type Rejections,
} from '@clew/contracts';
import type { ServiceClient } from '@clew/http';
import { createTokenBudget, InferenceError, type CallOptions, type InferenceClient } from '@clew/inference';
import type { Clock } from '@clew/kernel';
import { acceptItems, PARTICIPANTS_ONLY, reject, speaksToReaders } from '@clew/knowledge';
import type { MessageContext, Publisher } from '@clew/messaging';
import type { Logger } from '@clew/runtime';
import { requestIdOf, resultEnvelope } from '../envelopes.ts';
import { modelFailureOf } from '../model-failure.ts';
import type { ModelPlaces } from '../model-places.ts';
import { readSnapshot } from '../read-snapshot.ts';
import { askForClaims } from './ask-for-claims.ts';
import { relatedItems } from './consolidate.ts';
import { embedItems } from './embed-items.ts';
import { judgeItems, judgeOf, type Judge } from './entailment.ts';
import { planExtraction, type ExtractionPlan } from './plan-extraction.ts';

export interface ExtractDependencies {
  warehouse: ServiceClient;
  /** Service whose items new ones are compared with. */
  knowledge: ServiceClient;
  inference: InferenceClient;
  publisher: Publisher;
  clock: Clock;
  logger: Logger;
  /** Places for extractions only; adjudication has its own. */
  inPlace: ModelPlaces;
}

export type ExtractionCommand = EnvelopeOf<typeof extractionRequested>;
type Outcome = EnvelopeOf<typeof extractionCompleted>['data']['outcome'];
type ExtractContext = Pick<MessageContext, 'signal' | 'heartbeat' | 'logger'>;

/** Options that all calls of one extraction share. */
type ExtractionCall = CallOptions & { idempotencyKey: string };

interface Extracted {
  items: ExtractedItem[];
  /** Those whose words alone do not show that they follow from their quotes. */
  doubtful: Set<ExtractedItem>;
  rejected: Rejections;
  /** Number of chunks that were read. */
  chunks: number;
}

/** Token budget of one extraction, repairs included, which holds even if the provider ignores `maxTokens`. */
const MAX_TOKENS = 400_000;

/**
 * Extracts Knowledge for a goal from the new messages of a snapshot, and publishes the items and their cost to the
 * owner. A model failure is reported as an outcome, and the owner decides when to ask again. Only failures of this
 * system itself are retried here.
 */
export function createExtract(dependencies: ExtractDependencies) {
  const { warehouse, inference, publisher, clock, inPlace } = dependencies;

  async function read(
    command: ExtractionCommand,
    snapshot: ConversationSnapshot,
    call: ExtractionCall,
  ): Promise<Outcome> {
    const { alreadyRead, minNewTokens, model, capabilities, embeddingModel, sources } = command.data;
    const contextLength = capabilities?.contextLength ?? null;
    const { systemPrompt } = sources ?? PARTICIPANTS_ONLY;
    const plan = planExtraction(snapshot.messages, { alreadyRead, contextLength, systemPrompt });
    if (plan.newTokens < minNewTokens) return { status: 'waiting', newTokens: plan.newTokens };
    try {
      const { items, doubtful, rejected, chunks } = await extractAll(inference, command, plan, call);
      const judge = judgeOf(model, capabilities);
      const refused = await judgeItems(inference, judge, { items, snapshot }, keyed(call, 'entailment'));
      const kept = judgedItems({ items, doubtful, rejected, refused, snapshot });
      const embedded = await embedItems(inference, kept, embeddingModel, keyed(call, 'embedding'));
      const isComplete = plan.isComplete && chunks === plan.chunks.length;
      return {
        status: 'read',
        items: await related(dependencies, command, { items: embedded, judge, snapshot }, call),
        rejected,
        newlyRead: plan.readAfter(chunks),
        ...(systemPrompt ? { promptsRead: plan.promptsAfter(chunks) } : {}),
        isComplete,
      };
    } catch (error) {
      if (!(error instanceof InferenceError)) throw error;
      return modelFailureOf(error);
    }
  }

  return async (command: ExtractionCommand, context: ExtractContext): Promise<void> => {
    const { signal, heartbeat } = context;
    const budget = createTokenBudget(MAX_TOKENS);
    const { projectId, id: idempotencyKey } = command;
    const call = { projectId, budget, signal, heartbeat, idempotencyKey, ...requestIdOf(command) };
    const outcome = await inPlace(command, context, async (): Promise<Outcome> => {
      const snapshot = await readSnapshot(warehouse, command, signal);
      if (snapshot === undefined) return { status: 'failed', reason: 'The snapshot no longer exists' };
      return await read(command, snapshot, call);
    });
    signal.throwIfAborted();
    const { status } = outcome;
    if (status === 'failed' || status === 'later') context.logger.info({ outcome }, 'a conversation was not read');
    await publisher.publish(extractionCompleted, {
      ...resultEnvelope(command, extractionCompleted, clock.now()),
      data: { ...extractionOf(command), calls: budget.usage.calls, tokens: budget.usage.totalTokens, outcome },
    });
  };
}

/**
 * Keeps the chunks that were read before a call failed. The owner asks for the rest again, which then fails on its
 * own.
 */
async function extractAll(
  inference: InferenceClient,
  command: ExtractionCommand,
  { chunks }: ExtractionPlan,
  call: ExtractionCall,
): Promise<Extracted> {
  const extracted: Extracted = { items: [], doubtful: new Set(), rejected: {}, chunks: 0 };
  for (const [position, chunk] of chunks.entries()) {
    try {
      const claims = await askForClaims(inference, command.data, chunk, keyed(call, `${position}`));
      const { items, doubtful, rejected } = acceptItems(
        claims,
        [...chunk.fresh, ...chunk.context],
        command.data.sources,
      );
      const kept = items.slice(0, MAX_ITEMS_OF_EXTRACTION - extracted.items.length);
      extracted.items.push(...kept);
      for (const item of doubtful) extracted.doubtful.add(item);
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

/** Compares items that a model has judged with those that the goal has. */
async function related(
  { inference, knowledge, logger }: Pick<ExtractDependencies, 'inference' | 'knowledge' | 'logger'>,
  { projectId, data: { goalId } }: ExtractionCommand,
  { items, judge, snapshot }: { items: ExtractedItem[]; judge: Judge; snapshot: ConversationSnapshot },
  call: ExtractionCall,
): Promise<ExtractedItem[]> {
  if (items.some(({ judged }) => judged !== true)) return items;
  const times = new Map(snapshot.messages.map(({ index, atMs }) => [index, atMs]));
  const saidAtOf = ({ evidence }: ExtractedItem) =>
    Math.max(...evidence.map(({ messageIndex }) => times.get(messageIndex) ?? snapshot.startedAt));
  const about = { inference, knowledge, judge, projectId, goalId, saidAtOf, logger };
  return await relatedItems(items, about, keyed(call, 'consolidation'));
}

/** Keeps the items that were not refused, and counts the others. */
function judgedItems({
  items,
  doubtful,
  rejected,
  refused,
  snapshot,
}: Pick<Extracted, 'items' | 'doubtful' | 'rejected'> & {
  refused: ReadonlyMap<ExtractedItem, RejectionReason> | undefined;
  snapshot: ConversationSnapshot;
}): ExtractedItem[] {
  // Words decide without a model that can judge, and in a conversation in which somebody talks to it.
  const isJudged =
    refused !== undefined &&
    !snapshot.messages.some(({ role, content }) => role !== 'system' && speaksToReaders(content));
  return items.flatMap((item): ExtractedItem[] => {
    const reason = refused?.get(item) ?? (!isJudged && doubtful.has(item) ? 'not_supported' : undefined);
    if (reason !== undefined) reject(rejected, reason);
    return reason === undefined ? [isJudged ? { ...item, judged: true } : item] : [];
  });
}

/** Fields that identify an extraction, as the result carries them. */
function extractionOf({ data }: ExtractionCommand) {
  const { extractionId, goalId, goalRevision, conversationId, snapshotId, model, round } = data;
  return { extractionId, goalId, goalRevision, conversationId, snapshotId, model, round };
}

/** Gives each further call of the same extraction its own idempotency key. */
function keyed(call: ExtractionCall, suffix: string): ExtractionCall {
  return { ...call, idempotencyKey: `${call.idempotencyKey}:${suffix}` };
}
