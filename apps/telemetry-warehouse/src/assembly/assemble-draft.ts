import type { ConversationMessage, ConversationSnapshot, Score } from '@clew/contracts';
import { assembleConversation, contentHashOf, isStep } from '@clew/conversation';
import type { KnownConversation } from '../conversations/index.ts';
import { spanPlace } from '../fragments/index.ts';
import { joinedScores, scoredHashOf } from '../scores/index.ts';
import type { SnapshotStore } from '../snapshots/index.ts';
import { boundedTools, type Assembled } from './assembled.ts';
import { keepExpired } from './keep-expired.ts';
import type { Outline } from './outlines.ts';
import type { Draft, Share } from './shared-calls.ts';
import { withoutNotCaptured } from './without-not-captured.ts';

/** Conversation that is being assembled. */
export interface OutlinedDraft extends Draft {
  conversation: KnownConversation;
  outline: Outline;
}

/** Assembles a conversation from its records, the calls it shares with others, and its scores. */
export async function assembleDraft(
  snapshots: Pick<SnapshotStore, 'read'>,
  draft: OutlinedDraft,
  share: Share | undefined,
  given: readonly Score[],
): Promise<Assembled> {
  const { conversation, outline, records } = draft;
  const { projectId, snapshotId } = conversation;
  const told = toldBy(draft, share, snapshotId !== null);
  const isGone = outline.spans.length === 0 && outline.logs.length === 0 && !outline.isHandedOver;
  const isExpired = (message: ConversationMessage) => isGone || records.expired.has(spanPlace(message));
  const hasExpired = isGone || records.expired.size > 0;
  const earlier = snapshotId !== null && hasExpired ? await snapshots.read(projectId, snapshotId) : undefined;
  const whole = earlier !== undefined ? withExpired(told, earlier, conversation, isExpired) : told;
  const allScores = joinedScores(whole.scores, given);
  const messagesHash = whole === told ? told.contentHash : contentHashOf(whole.messages);
  return {
    ...whole,
    scores: allScores,
    tools: boundedTools(whole.tools),
    messagesHash,
    earlier,
    sharedCalls: { lost: share?.lost ?? [], taken: share?.taken ?? [], hasExpired },
    contentHash: scoredHashOf(messagesHash, allScores),
  };
}

function toldBy({ outline, records, read }: OutlinedDraft, share: Share | undefined, hadSnapshot: boolean): Told {
  const told = withoutNotCaptured(share === undefined ? read.assemble() : assembleConversation(share.records));
  const isIncomplete = records.expired.size > 0 && !hadSnapshot;
  return {
    ...told,
    truncated: told.truncated || outline.truncated || isIncomplete,
    listed: told.hasSteps || outline.spans.some((row) => isStep(row.work) && records.expired.has(spanPlace(row))),
    isHandedOver: outline.isHandedOver || (share !== undefined && told.spanCount === 0),
  };
}

/** Assembly of the records alone, before the scores that people gave. */
type Told = Omit<Assembled, 'messagesHash' | 'sharedCalls'>;

/** Joins an assembly with the parts of the latest snapshot whose records are gone. */
function withExpired(
  assembled: Told,
  earlier: ConversationSnapshot,
  { usage, errorCount, spanCount, listed }: KnownConversation,
  isExpired: (message: ConversationMessage) => boolean,
): Told {
  const union = (before: readonly string[], now: readonly string[]) => [...new Set([...before, ...now])];
  const isEmpty = assembled.spanCount === 0;
  return {
    ...assembled,
    messages: keepExpired(earlier.messages, assembled.messages, isExpired),
    tools: [...new Map([...earlier.tools, ...assembled.tools].map((tool) => [tool.name, tool])).values()],
    agents: union(earlier.agents, assembled.agents),
    models: union(earlier.models, assembled.models),
    userId: assembled.userId ?? earlier.userId,
    startedAt: isEmpty ? earlier.startedAt : Math.min(earlier.startedAt, assembled.startedAt),
    lastActivityAt: isEmpty ? earlier.throughMs : Math.max(earlier.throughMs, assembled.lastActivityAt),
    truncated: earlier.truncated || assembled.truncated,
    scores: joinedScores(earlier.scores, assembled.scores),
    listed: listed || assembled.listed,
    // Expired records were counted before, but cannot be told apart from current ones, so the larger count is kept.
    spanCount: Math.max(spanCount, assembled.spanCount),
    errorCount: Math.max(errorCount, assembled.errorCount),
    usage: {
      ...assembled.usage,
      inputTokens: Math.max(usage.inputTokens, assembled.usage.inputTokens),
      outputTokens: Math.max(usage.outputTokens, assembled.usage.outputTokens),
    },
  };
}
