import { LRUCache } from 'lru-cache';
import type { EnvelopeOf, spansReceived } from '@clew/contracts';
import type { Clock } from '@clew/kernel';
import type { ConversationStore, Touch } from '../conversations/conversations.store.ts';
import { conversationTrace, logDocument, spanDocuments } from './span-documents.ts';
import type { ConversationTrace, RawPayload, SpanRow } from './span.model.ts';
import type { SpanStore } from './spans.store.ts';

type SpansReceived = EnvelopeOf<typeof spansReceived>;

export interface StoreSpansDependencies {
  spans: SpanStore;
  conversations: ConversationStore;
  clock: Clock;
  quietMs: number;
}

/** What a message says of one trace. */
interface TraceActivity {
  traceId: string;
  startedAt: number;
  lastActivityAt: number;
  listed: boolean;
}

const MAX_KNOWN_LINKS = 50_000;

/**
 * Stores the records of a message and marks the conversations that they belong to as changed. Every step may be
 * repeated, and the marking comes last: a message that is delivered again after a crash repairs what was left out.
 */
export function createStoreSpans({ spans, conversations, clock, quietMs }: StoreSpansDependencies) {
  /** Links that are known to be stored: a long conversation sends the same one with every span. */
  const knownLinks = new LRUCache<string, true>({ max: MAX_KNOWN_LINKS });

  return async ({ projectId, data }: SpansReceived): Promise<void> => {
    const documents = documentsOf(projectId, data);
    await spans.write(documents.rows, documents.payloads);
    const newLinks = documents.links.filter(({ _id }) => !knownLinks.has(_id));
    await spans.writeConversationTraces(newLinks);
    for (const { _id } of newLinks) knownLinks.set(_id, true);
    await touchConversations(projectId, documents.activity);
  };

  async function touchConversations(projectId: string, activity: ReadonlyMap<string, TraceActivity>): Promise<void> {
    const traceIds = [...activity.keys()];
    const links = await spans.conversationsOfTraces(projectId, traceIds);
    const named = new Set(links.map(({ traceId }) => traceId));
    const touches = new Map<string, Touch>();
    for (const { traceId, conversationId } of links) {
      addTouch(touches, projectId, conversationId, false, activity.get(traceId));
    }
    for (const [traceId, one] of activity) if (!named.has(traceId)) addTouch(touches, projectId, traceId, true, one);
    const dueAt = clock.now() + quietMs;
    await conversations.touch([...touches.values()], dueAt);
    // A trace that was taken for a conversation of its own, until a span came that names one.
    await conversations.recheckImplicit(projectId, [...named], dueAt);
  }
}

export type StoreSpans = ReturnType<typeof createStoreSpans>;

interface MessageDocuments {
  rows: SpanRow[];
  payloads: RawPayload[];
  links: ConversationTrace[];
  activity: Map<string, TraceActivity>;
}

function documentsOf(projectId: string, { groups, receivedAt }: SpansReceived['data']): MessageDocuments {
  const received = new Date(receivedAt);
  const rows = new Map<string, SpanRow>();
  const payloads = new Map<string, RawPayload>();
  const links = new Map<string, ConversationTrace>();
  const activity = new Map<string, TraceActivity>();
  for (const group of groups) {
    for (const span of group.spans) {
      const { row, payload } = spanDocuments(projectId, group, span, received);
      rows.set(row._id, row);
      payloads.set(payload._id, payload);
      const listed = row.workKind !== 'other' || row.conversationId !== undefined;
      note(activity, span.traceId, msOf(span.startTimeUnixNano), msOf(span.endTimeUnixNano), listed);
      if (row.conversationId === undefined) continue;
      const link = conversationTrace(projectId, span.traceId, row.conversationId);
      links.set(link._id, link);
    }
    for (const log of group.logs) {
      const payload = logDocument(projectId, group, log, received);
      payloads.set(payload._id, payload);
      note(activity, log.traceId, msOf(log.timeUnixNano), msOf(log.timeUnixNano), true);
    }
  }
  return { rows: [...rows.values()], payloads: [...payloads.values()], links: [...links.values()], activity };
}

function note(
  activity: Map<string, TraceActivity>,
  traceId: string,
  startedAt: number,
  endedAt: number,
  listed: boolean,
): void {
  const known = activity.get(traceId);
  if (known === undefined) {
    activity.set(traceId, { traceId, startedAt, lastActivityAt: endedAt, listed });
    return;
  }
  known.startedAt = Math.min(known.startedAt, startedAt);
  known.lastActivityAt = Math.max(known.lastActivityAt, endedAt);
  known.listed ||= listed;
}

function addTouch(
  touches: Map<string, Touch>,
  projectId: string,
  conversationId: string,
  implicit: boolean,
  activity: TraceActivity | undefined,
): void {
  if (activity === undefined) return;
  const { startedAt, lastActivityAt, listed } = activity;
  const known = touches.get(conversationId);
  if (known === undefined) {
    touches.set(conversationId, { projectId, conversationId, implicit, listed, startedAt, lastActivityAt });
    return;
  }
  known.startedAt = Math.min(known.startedAt, startedAt);
  known.lastActivityAt = Math.max(known.lastActivityAt, lastActivityAt);
  known.listed ||= listed;
}

/** Nanoseconds as decimal text, in whole milliseconds. */
function msOf(unixNano: string): number {
  return Number(unixNano.slice(0, -6)) || 0;
}
