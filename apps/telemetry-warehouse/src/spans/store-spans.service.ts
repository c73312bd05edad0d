import { LRUCache } from 'lru-cache';
import type { EnvelopeOf, spansReceived } from '@clew/contracts';
import type { Clock } from '@clew/kernel';
import { createBatcher } from '../bounds/batcher.ts';
import { createGate } from '../bounds/gate.ts';
import type { ConversationStore, Handover, Touch } from '../conversations/conversations.store.ts';
import { createAffectedConversations } from './affected-conversations.ts';
import { messageDocuments } from './message-documents.ts';
import type { ConversationTrace, RawPayload } from './span.model.ts';
import type { SpanStore } from './spans.store.ts';
import type { TraceLinkStore } from './trace-links.store.ts';

type SpansReceived = EnvelopeOf<typeof spansReceived>;

export interface StoreSpansDependencies {
  spans: SpanStore;
  links: TraceLinkStore;
  conversations: Pick<ConversationStore, 'touch'>;
  clock: Clock;
  quietMs: number;
  maxNamedOfTrace?: number;
}

export interface StoreSpans {
  /** Resolves when the records of a message are stored and their conversations marked. Safe to repeat. */
  store(message: SpansReceived): Promise<void>;
  isBusy(): boolean;
}

const MAX_KNOWN_LINKS = 20_000;
const MAX_NAMED_OF_TRACE = 32;
/** Content, in characters, of the messages that are being written at a time: some hold one record of megabytes. */
const MAX_CHARACTERS_UNDER_WAY = 8 * 1024 * 1024;

/**
 * Stores the records of a message and marks the conversations that they belong to as changed. Every step may be
 * repeated, and the marking comes last: a message that is delivered again after a crash repairs what was left out.
 */
export function createStoreSpans(dependencies: StoreSpansDependencies): StoreSpans {
  const { spans, links, conversations, clock, quietMs, maxNamedOfTrace = MAX_NAMED_OF_TRACE } = dependencies;
  const affectedConversations = createAffectedConversations({ spans, maxNamedOfTrace });
  /** Links that were stored and marked here, by the first span that names them: most spans name what others did. */
  const knownLinks = new LRUCache<string, string>({ max: MAX_KNOWN_LINKS });
  const pass = createGate(MAX_CHARACTERS_UNDER_WAY);
  const touch = createBatcher<{ touches: Touch[]; handovers: Handover[] }>(async (marks) => {
    const touches = marks.flatMap((mark) => mark.touches);
    const handovers = marks.flatMap((mark) => mark.handovers);
    await conversations.touch(touches, handovers, clock.now() + quietMs);
  });
  let messagesInHand = 0;

  function isNew({ _id, firstNamed }: ConversationTrace): boolean {
    const known = knownLinks.get(_id);
    return known === undefined || firstNamed < known;
  }

  /** Stores the links that are new and returns what each trace names then, the links of other writers included. */
  async function link(
    projectId: string,
    named: readonly ConversationTrace[],
    newLinks: readonly ConversationTrace[],
    traceIds: readonly string[],
  ) {
    await links.write(newLinks);
    // Asked for after the links are stored: of two writers on one trace, at least one sees what both have stored.
    const found = await links.conversationsOf(projectId, traceIds, maxNamedOfTrace + 1);
    const lost = named.filter(({ traceId, conversationId }) => {
      const ofTrace = found.get(traceId) ?? [];
      return ofTrace.length <= maxNamedOfTrace && !ofTrace.includes(conversationId);
    });
    if (lost.length === 0) return found;
    // Removed since they were stored, with the rest of the trace.
    await links.write(lost);
    return await links.conversationsOf(projectId, traceIds, maxNamedOfTrace + 1);
  }

  async function storeAndMark({ projectId, data }: SpansReceived): Promise<void> {
    const { rows, payloads, links: named, activity } = messageDocuments(projectId, data);
    await pass(charactersOf(payloads), () => spans.write(rows, payloads));
    const newLinks = named.filter(isNew);
    const traceIds = activity.map(({ traceId }) => traceId);
    const namedBy = await link(projectId, named, newLinks, traceIds);
    const touches = await Promise.all(
      activity.map((one) => affectedConversations(projectId, one, namedBy.get(one.traceId) ?? [])),
    );
    const handovers = newLinks.map(({ traceId }) => ({ projectId, traceId }));
    await touch({ touches: touches.flat(), handovers });
    for (const { _id, firstNamed } of newLinks) knownLinks.set(_id, firstNamed);
  }

  return {
    async store(message) {
      messagesInHand += 1;
      try {
        await storeAndMark(message);
      } finally {
        messagesInHand -= 1;
      }
    },
    isBusy: () => messagesInHand > 0,
  };
}

function charactersOf(payloads: readonly RawPayload[]): number {
  return payloads.reduce((sum, { body }) => sum + body.length, 0);
}
