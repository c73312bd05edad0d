import type { EnvelopeOf, spansReceived } from '@clew/contracts';
import type { Clock } from '@clew/kernel';
import { createActivity, createBatcher, createGate, type GiveWay } from '../limits/index.ts';
import type { ConversationStore, Handover, Touch } from '../conversations/index.ts';
import { createAffectedConversations } from './affected-conversations.ts';
import { packedFragment, type FragmentStore, type PackedFragment } from './fragments.store.ts';
import { messageFragments, type MessageFragments, type TraceActivity } from './message-fragments.ts';
import { MAX_NAMED_OF_TRACE, type PlaceStore } from './places.store.ts';

type SpansReceived = EnvelopeOf<typeof spansReceived>;

export interface StoreSpansDependencies {
  fragments: Pick<FragmentStore, 'write'>;
  places: PlaceStore;
  conversations: Pick<ConversationStore, 'touch'>;
  /** Makes sure that retention runs for these projects: all stored data must expire one day. */
  ensureSweeps(projectIds: readonly string[], nowMs: number): Promise<void>;
  /** Builds the fragments of a message without records that must not be stored again; all records by default. */
  fragmentsOf?: (projectId: string, data: SpansReceived['data']) => Promise<MessageFragments>;
  clock: Clock;
  quietMs: number;
  maxNamedOfTrace?: number;
  /** Lets more urgent work go first; by default, messages are prepared and written at once. */
  giveWay?: GiveWay;
}

export interface StoreSpans {
  /** Resolves when the records of a message are stored and their conversations marked as changed. Safe to repeat. */
  store(message: SpansReceived): Promise<void>;
  isBusy(): boolean;
}

/** Content of a message, ready to be stored. */
interface Prepared {
  projectId: string;
  fragments: PackedFragment[];
  activity: TraceActivity[];
}

/** Maximum characters of content of the messages packed at a time: some hold one record of megabytes. */
const MAX_CHARACTERS_UNDER_WAY = 8 * 1024 * 1024;

/**
 * Stores the records of messages and marks their conversations as changed. Messages that arrive during a write are
 * written together. Every step may be repeated, and the marking comes last: a message delivered again after a crash
 * completes the steps that are missing.
 */
export function createStoreSpans(dependencies: StoreSpansDependencies): StoreSpans {
  const {
    fragments,
    places,
    conversations,
    ensureSweeps,
    clock,
    quietMs,
    maxNamedOfTrace = MAX_NAMED_OF_TRACE,
    fragmentsOf = async (projectId, data) => messageFragments(projectId, data),
    giveWay = (work) => work(),
  } = dependencies;
  const affectedConversations = createAffectedConversations({ places, maxNamedOfTrace });
  const pass = createGate(MAX_CHARACTERS_UNDER_WAY);
  const storeTogether = createBatcher<Prepared>((group) => giveWay(() => storeGroup(group)));
  const storing = createActivity();

  async function prepare({ projectId, data }: SpansReceived): Promise<Prepared> {
    const { fragments: found, activity } = await fragmentsOf(projectId, data);
    const characters = found.reduce((sum, { content }) => sum + content.length, 0);
    const ready = await pass(characters, async () => {
      const done: PackedFragment[] = [];
      for (const fragment of found) done.push(await packedFragment(fragment));
      return done;
    });
    return { projectId, fragments: ready, activity };
  }

  async function storeGroup(group: readonly Prepared[]): Promise<void> {
    await fragments.write(group.flatMap((each) => each.fragments));
    const byProject = Map.groupBy(group, ({ projectId }) => projectId);
    await ensureSweeps([...byProject.keys()], clock.now());
    const marks = await Promise.all([...byProject].map(([projectId, ofProject]) => marksOf(projectId, ofProject)));
    const touches = marks.flatMap((mark) => mark.touches);
    const handovers = marks.flatMap((mark) => mark.handovers);
    const receivedAt = clock.now();
    await conversations.touch(touches, handovers, { receivedAt, dueAt: receivedAt + quietMs });
  }

  async function marksOf(projectId: string, group: readonly Prepared[]) {
    const activity = group.flatMap((each) => each.activity);
    const traceIds = [...new Set(activity.map(({ traceId }) => traceId))];
    const own = new Set(group.flatMap((each) => each.fragments.map(({ document }) => document._id)));
    // Names are read after the fragments are stored: of two writers on one trace, at least one sees the fragments of
    // both.
    const stored = await places.namesOf(projectId, traceIds, own);
    const touches: Touch[][] = [];
    for (const one of activity) touches.push(await affectedConversations(projectId, one, stored.get(one.traceId)));
    // A trace with no other stored fragments has not been a conversation of its own.
    const handovers = traceIds.filter((traceId) => {
      const known = stored.get(traceId);
      return known !== undefined && known.hasOthers && known.names.length > 0;
    });
    return { touches: touches.flat(), handovers: handovers.map((traceId): Handover => ({ projectId, traceId })) };
  }

  return {
    store: (message) => storing.during(async () => storeTogether(await giveWay(() => prepare(message)))),
    isBusy: () => storing.isBusy(),
  };
}
