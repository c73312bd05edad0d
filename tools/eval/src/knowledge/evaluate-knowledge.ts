import type { Conversation, KnowledgeItem, Rejections } from '@clew/contracts';
import { createProjectApi, planSeed, readSamples, seed } from '@clew/seed';
import { withTemporaryStack } from '@clew/stack';
import { rounded } from '../figures/resample.ts';
import { createEvaluatedProject, type EvaluatedStack } from '../findings/evaluated-project.ts';
import { backfilledGoal, itemsOf, provide, type Reader } from './backfilled-goal.ts';
import { knowledgeFigures, labelsSaid, type KnowledgeFigures, type LabelledKnowledge } from './knowledge-figures.ts';
import { labelledSample } from './labelled-samples.ts';

/** Figures of a model's extraction from the sample conversations. */
export interface KnowledgeEvaluation extends KnowledgeFigures {
  readonly model: string;
  readonly conversations: number;
  /** Conversations given up because the model gave no usable answer. */
  readonly failed: number;
  readonly secondsAConversation: number;
  /** Extracted statements that became an item or evidence of one. */
  readonly accepted: number;
  readonly rejected: Rejections;
  readonly items: number;
  /** Items replaced because of a contradiction; they are not judged. */
  readonly superseded: number;
  /** Quotes of all items, and those found, byte for byte, at their place in the conversation that the API returns. */
  readonly quotes: { readonly of: number; readonly resolved: number };
}

const SETTINGS = { RATE_LIMIT_PER_SECOND: '100000' };
/** A small model on a small machine takes a minute per conversation. */
const ENDS_WITHIN_MS = 3 * 3_600_000;

/** Runs the extraction from the sample conversations in a temporary stack. */
export async function evaluateKnowledge(reader: Reader): Promise<KnowledgeEvaluation> {
  return await withTemporaryStack(SETTINGS, async ({ stackFile }) => await evaluateKnowledgeOn(stackFile, reader));
}

/** Runs the extraction in a new project of a running stack. */
export async function evaluateKnowledgeOn(stack: EvaluatedStack, reader: Reader): Promise<KnowledgeEvaluation> {
  const { gatewayUrl } = stack;
  const project = await createEvaluatedProject(stack, 'knowledge');
  const { id: projectId, apiKey } = project;
  const api = createProjectApi({ gatewayUrl, apiKey, projectId, signal: AbortSignal.timeout(ENDS_WITHIN_MS) });
  await provide(api, reader);
  const samples = readSamples();
  const nowMs = Date.now();
  await seed({ gatewayUrl, apiKey, samples, nowMs });
  await project.untilAnalysed(samples.length);
  const backfill = await backfilledGoal(api, reader.model);
  const read: Conversation[] = [];
  for (const { script } of planSeed(samples, nowMs)) read.push(await project.conversation(script.conversationId));
  const labelled = samples.map((sample, index) => labelledSample(sample, read[index] as Conversation));
  const all = await itemsOf(api, backfill.goalId);
  const active = all.filter(({ status }) => status === 'active');
  for (const item of active) tellOf(item, labelled);
  const { createdAt, endedAt, conversationsSeen, conversationsFailed, itemsCreated, itemsMerged, rejected } = backfill;
  return {
    ...{ model: reader.model, conversations: conversationsSeen, failed: conversationsFailed },
    secondsAConversation: rounded(((endedAt ?? NaN) - createdAt) / 1000 / conversationsSeen),
    ...{ accepted: itemsCreated + itemsMerged, rejected, items: active.length, superseded: all.length - active.length },
    quotes: quoteFigures(all, read),
    ...knowledgeFigures(labelled, active),
  };
}

function quoteFigures(items: readonly KnowledgeItem[], read: readonly Conversation[]): KnowledgeEvaluation['quotes'] {
  const conversations = new Map(read.map((conversation) => [conversation.id, conversation]));
  const quotes = items.flatMap(({ evidence }) => evidence);
  const resolved = quotes.filter(({ conversationId, messageIndex, quote, startChar, endChar, traceId, spanId }) => {
    const message = conversations.get(conversationId)?.messages[messageIndex];
    if (message?.traceId !== traceId || message.spanId !== spanId) return false;
    return Buffer.from(message.content.slice(startChar, endChar)).equals(Buffer.from(quote));
  });
  return { of: quotes.length, resolved: resolved.length };
}

function tellOf(item: KnowledgeItem, labelled: readonly LabelledKnowledge[]): void {
  const isRight = labelled.some((conversation) => labelsSaid(item, conversation).length > 0);
  const { kind, content, sourceConversationId } = item;
  process.stderr.write(`${isRight ? 'right' : 'wrong'}: ${sourceConversationId}, ${kind}: ${content}\n`);
}
