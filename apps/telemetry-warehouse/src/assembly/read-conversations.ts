import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Score } from '@clew/contracts';
import { readTelemetry } from '@clew/conversation';
import { createGate } from '../limits/index.ts';
import type { KnownConversation } from '../conversations/index.ts';
import {
  callNumber,
  FragmentsReplacedError,
  readRecords,
  spanPlace,
  type CallStore,
  type FragmentStore,
  type LogRow,
  type Records,
  type SpanRow,
} from '../fragments/index.ts';
import type { ScoreStore } from '../scores/index.ts';
import type { SnapshotStore } from '../snapshots/index.ts';
import { assembleDraft, type OutlinedDraft } from './assemble-draft.ts';
import type { Assembled } from './assembled.ts';
import { outlinesOf, type Outline, type OutlineLimits } from './outlines.ts';
import { findSharedCalls, type Share } from './shared-calls.ts';
import { createTraceLayouts, type TraceLayouts } from './trace-layouts.ts';

export interface ReadConversationsDependencies {
  fragments: Omit<FragmentStore, 'write'>;
  calls: CallStore;
  scores: Pick<ScoreStore, 'listMany'>;
  snapshots: Pick<SnapshotStore, 'read'>;
  limits?: OutlineLimits;
}

/** Conversation assembled from its current records and scores, or the error that prevented it. */
export interface ReadOutcome {
  conversation: KnownConversation;
  result: { assembled: Assembled } | { error: unknown };
}

/**
 * Assembles conversations of one project from their current records and scores. Together they cost a handful of
 * queries; each is assembled in its own turn of the event loop. The layouts may come from conversations that were
 * claimed at the same time.
 */
export type ReadConversations = (
  conversations: readonly KnownConversation[],
  layouts?: TraceLayouts,
) => AsyncGenerator<ReadOutcome>;

const LIMITS: OutlineLimits = {
  maxTraces: 5_000,
  maxSpans: 20_000,
  maxRecords: 40_000,
  maxCharacters: 24 * 1024 * 1024,
  maxTogether: 40_000,
};
/** Maximum characters of the conversations assembled at a time in this process. */
const MAX_CHARACTERS_UNDER_WAY = 32 * 1024 * 1024;
/** Maximum characters of the conversations whose contents are read together. */
const MAX_CHARACTERS_OF_PART = 4 * 1024 * 1024;
/** Cost of a record in addition to its content, in characters. */
const CHARACTERS_PER_RECORD = 1_000;
/** Maximum attempts when fragments are replaced during a read; after that, something must be wrong. */
const MAX_ATTEMPTS = 5;

interface Outlined {
  conversation: KnownConversation;
  outline: Outline;
}

export function createReadConversations(dependencies: ReadConversationsDependencies): ReadConversations {
  const { fragments, calls, scores, snapshots, limits = LIMITS } = dependencies;
  const pass = createGate(MAX_CHARACTERS_UNDER_WAY);

  async function* outlined(
    conversations: readonly KnownConversation[],
    layouts: TraceLayouts,
  ): AsyncGenerator<Outlined, undefined> {
    const [first] = conversations;
    if (first === undefined) return;
    let index = 0;
    for await (const outline of outlinesOf({ fragments, layouts, limits }, first.projectId, conversations)) {
      const conversation = conversations[index];
      index += 1;
      if (conversation !== undefined) yield { conversation, outline: withoutLost(outline, conversation) };
    }
  }

  /** Reads the records of conversations; finds them again if fragments were replaced meanwhile. */
  async function withRecords(part: readonly Outlined[], attempt = 1): Promise<[Outlined, Records][]> {
    try {
      const records = await readRecords(
        fragments,
        part.map(({ outline }) => outline),
      );
      return part.map((one, index) => [one, records[index] as Records]);
    } catch (error) {
      if (!(error instanceof FragmentsReplacedError) || attempt === MAX_ATTEMPTS) throw error;
    }
    const conversations = part.map(({ conversation }) => conversation);
    const again: Outlined[] = [];
    for await (const one of outlined(conversations, createTraceLayouts(fragments))) again.push(one);
    return await withRecords(again, attempt + 1);
  }

  /** Returns an error as an outcome, so that it does not hold up the other conversations. */
  async function outcomeOf(draft: OutlinedDraft, share: Share | undefined, given: readonly Score[]) {
    const { conversation } = draft;
    try {
      return { conversation, result: { assembled: await assembleDraft(snapshots, draft, share, given) } };
    } catch (error) {
      return { conversation, result: { error } };
    }
  }

  async function outcomesOf(part: readonly Outlined[], layouts: TraceLayouts): Promise<ReadOutcome[]> {
    const given = await scores.listMany(part.map(({ conversation }) => conversation));
    const drafts: OutlinedDraft[] = [];
    const done: ReadOutcome[] = [];
    for (const [{ conversation, outline }, records] of await withRecords(part)) {
      try {
        drafts.push({ conversation, outline, records, read: readTelemetry(records) });
      } catch (error) {
        done.push({ conversation, result: { error } });
      }
      await nextTurn();
    }
    const shares = await findSharedCalls({ calls, fragments }, drafts, layouts);
    for (const draft of drafts) {
      done.push(await outcomeOf(draft, shares.get(draft), given.get(draft.conversation._id) ?? []));
      await nextTurn();
    }
    return done;
  }

  return async function* read(conversations, layouts = createTraceLayouts(fragments)) {
    for await (const part of partsOf(outlined(conversations, layouts))) {
      const weight = part.reduce((sum, one) => sum + weightOf(one), 0);
      yield* await pass(weight, () => outcomesOf(part, layouts));
    }
  };
}

/**
 * Groups conversations whose contents are read together; a large one forms a group of its own, so that no more is held.
 */
async function* partsOf(all: AsyncIterable<Outlined>): AsyncGenerator<Outlined[], undefined> {
  let [part, weight]: [Outlined[], number] = [[], 0];
  for await (const one of all) {
    const added = weightOf(one);
    if (part.length > 0 && weight + added > MAX_CHARACTERS_OF_PART) {
      yield part;
      [part, weight] = [[], 0];
    }
    part.push(one);
    weight += added;
  }
  if (part.length > 0) yield part;
}

/** Assembles one conversation from its current records and scores. */
export async function readConversation(read: ReadConversations, conversation: KnownConversation): Promise<Assembled> {
  for await (const { result } of read([conversation])) {
    if ('assembled' in result) return result.assembled;
    throw result.error;
  }
  throw new Error('A conversation that was asked for has no outcome');
}

function weightOf({ outline: { characters, spans, logs } }: Outlined): number {
  return characters + (spans.length + logs.length) * CHARACTERS_PER_RECORD;
}

/** Outline without the calls that other conversations have taken. */
function withoutLost(outline: Outline, { callsLost = [] }: KnownConversation): Outline {
  if (callsLost.length === 0) return outline;
  const lost = new Set(callsLost);
  const isKept = (row: SpanRow | LogRow): boolean => !lost.has(callNumber(spanPlace(row)));
  const [spans, logs] = [outline.spans.filter(isKept), outline.logs.filter(isKept)];
  const isEmptied = outline.spans.length > 0 && spans.length === 0 && logs.length === 0;
  return { ...outline, spans, logs, isHandedOver: outline.isHandedOver || isEmptied };
}
