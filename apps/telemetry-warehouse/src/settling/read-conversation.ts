import type { ConversationMessage, ConversationSnapshot } from '@clew/contracts';
import { assembleConversation } from '../reconstruction/index.ts';
import { createGate } from '../bounds/gate.ts';
import type { KnownConversation } from '../conversations/conversations.store.ts';
import type { ScoreStore } from '../scores/scores.store.ts';
import type { SnapshotStore } from '../snapshots/snapshots.store.ts';
import type { RecordStore } from '../spans/records.store.ts';
import type { TraceLinkStore } from '../spans/trace-links.store.ts';
import { boundedTools, joinedScores, scoredHashOf, type Assembled } from './assembled.ts';
import { keepExpired } from './keep-expired.ts';
import { outlineOf, spanPlace, type OutlineBounds } from './outline.ts';
import { readContents } from './read-contents.ts';
import { createTraceLayouts, type TraceLayouts } from './trace-layouts.ts';

export interface ReadConversationDependencies {
  records: RecordStore;
  links: TraceLinkStore;
  scores: Pick<ScoreStore, 'list'>;
  snapshots: Pick<SnapshotStore, 'read'>;
  bounds?: OutlineBounds;
}

/** What a conversation's records and scores say now. */
export type ReadConversation = (conversation: KnownConversation, layouts?: TraceLayouts) => Promise<Assembled>;

const BOUNDS: OutlineBounds = {
  maxTraces: 5_000,
  maxSpans: 20_000,
  maxContents: 40_000,
  maxCharacters: 24 * 1024 * 1024,
};
/** Of conversations that are assembled at a time. */
const MAX_CHARACTERS_UNDER_WAY = 32 * 1024 * 1024;
/** What a record costs beside its content. */
const CHARACTERS_PER_RECORD = 1_000;

export function createReadConversation(dependencies: ReadConversationDependencies): ReadConversation {
  const { records, scores, snapshots, bounds = BOUNDS } = dependencies;
  const pass = createGate(MAX_CHARACTERS_UNDER_WAY);

  return async (conversation, layouts = createTraceLayouts(records)) => {
    const { projectId, conversationId, snapshotId } = conversation;
    const outline = await outlineOf(dependencies, conversation, layouts, bounds);
    const weight = outline.characters + outline.contents.length * CHARACTERS_PER_RECORD;
    const { assembled, expired } = await pass(weight, async () => {
      const found = await readContents(records, projectId, outline, bounds.maxCharacters);
      const told = assembleConversation(found);
      const isIncomplete = found.expired.size > 0 && snapshotId === null;
      const truncated = told.truncated || outline.truncated || found.truncated || isIncomplete;
      const listed = found.logs.length > 0 || outline.rows.some(({ workKind }) => workKind !== 'other');
      const { isHandedOver } = outline;
      return { assembled: { ...told, truncated, listed, isHandedOver }, expired: found.expired };
    });
    const isGone = outline.rows.length === 0 && outline.contents.length === 0 && !outline.isHandedOver;
    const isExpired = (message: ConversationMessage) => isGone || expired.has(spanPlace(message));
    const earlier =
      snapshotId !== null && (isGone || expired.size > 0) ? await snapshots.read(projectId, snapshotId) : undefined;
    const whole = earlier === undefined ? assembled : withExpired(assembled, earlier, conversation, isExpired);
    const allScores = joinedScores(whole.scores, await scores.list(projectId, conversationId));
    return {
      ...whole,
      scores: allScores,
      tools: boundedTools(whole.tools),
      contentHash: scoredHashOf(whole.messages, allScores),
    };
  };
}

/** An assembly joined to what the latest snapshot holds of records that are gone. */
function withExpired(
  assembled: Assembled,
  earlier: ConversationSnapshot,
  { usage, errorCount, spanCount, listed }: KnownConversation,
  isExpired: (message: ConversationMessage) => boolean,
): Assembled {
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
    // What expired was counted once; it cannot be told from what is counted now.
    spanCount: Math.max(spanCount, assembled.spanCount),
    errorCount: Math.max(errorCount, assembled.errorCount),
    usage: {
      ...assembled.usage,
      inputTokens: Math.max(usage.inputTokens, assembled.usage.inputTokens),
      outputTokens: Math.max(usage.outputTokens, assembled.usage.outputTokens),
    },
  };
}
