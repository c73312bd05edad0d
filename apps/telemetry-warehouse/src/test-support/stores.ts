import { deedRecorded, conversationReady, type ReadyConversation } from '@clew/contracts';
import type { ServiceClient } from '@clew/http';
import { createCursorCodec } from '@clew/kernel';
import { createAuditTrail, createOutbox, type Database } from '@clew/persistence';
import { fixedClock, silentLogger, type FixedClock } from '@clew/testing';
import { emittedMessages } from '@clew/testing-host';
import {
  conversationKey,
  conversationModel,
  createConversationStore,
  createDueConversations,
  type KnownConversation,
} from '../conversations/index.ts';
import {
  createErasure,
  eraseDue,
  type ErasedServices,
  type ErasureLoopOptions,
  type SweepLetters,
} from '../erasure/index.ts';
import {
  createCallStore,
  createCompaction,
  createFragmentStore,
  createPlaceStore,
  createStoreSpans,
} from '../fragments/index.ts';
import { createHourStore, createSeriesService, createSetFindingCounts } from '../hours/index.ts';
import { createPrivacyService, createPrivacyStore } from '../privacy/index.ts';
import { createRetention, sweepDue } from '../retention/index.ts';
import { createScoreStore } from '../scores/index.ts';
import {
  assembleDue,
  createAssembler,
  createReadConversations,
  readConversation,
  type AssemblerLoopOptions,
  type OutlineLimits,
} from '../assembly/index.ts';
import { createSnapshotStore } from '../snapshots/index.ts';
import { PROJECT_ID, STARTED_AT, type SpansMessage } from './spans.ts';

export type ReadyEvent = ReadyConversation;

export const QUIET_MS = 60_000;

export interface StoresOptions {
  limits?: OutlineLimits;
  maxNamedOfTrace?: number;
  /** Handles dead letters; without it there are none. */
  sweepLetters?: SweepLetters;
  /** Wraps stores, to observe calls to them or to make them fail. */
  wrap?<Store extends object>(name: string, store: Store): Store;
}

/** Client of services that hold no data. */
const nothing: ServiceClient = {
  call: () => Promise.resolve({ removed: {}, done: true, bytes: 0 } as never),
  json: () => Promise.reject(new Error('Nobody asks for it')),
  lines: () => {
    throw new Error('Nobody asks for it');
  },
};
export const NO_SERVICES: ErasedServices = { diagnostics: nothing, datasets: nothing, knowledge: nothing };

/** Erasure without the other services. */
const erasureAlone = (dependencies: Omit<Parameters<typeof createErasure>[0], 'services'>) =>
  createErasure({ ...dependencies, services: NO_SERVICES });
const cursors = createCursorCodec(new Uint8Array(32));
const noLetters: SweepLetters = () => Promise.resolve(0);

export type TestStores = ReturnType<typeof createTestStores>;

/** Writer and assembler over one database, stepped by the test. */
export function createTestStores(
  database: Database,
  clock: FixedClock = fixedClock(STARTED_AT),
  { limits, maxNamedOfTrace, sweepLetters = noLetters, wrap = (_name, store) => store }: StoresOptions = {},
) {
  const fragments = wrap('fragments', createFragmentStore(database));
  const calls = wrap('calls', createCallStore(database));
  const compaction = wrap('compaction', createCompaction(database, fragments));
  const places = wrap('places', createPlaceStore(database));
  const conversations = wrap('conversations', createConversationStore(database));
  const snapshots = wrap('snapshots', createSnapshotStore(database));
  const due = wrap('due', createDueConversations(database));
  const scores = createScoreStore(database);
  const outbox = createOutbox(database);
  const privacy = createPrivacyService({ privacy: createPrivacyStore(database), outbox, clock });
  const audit = createAuditTrail(outbox, deedRecorded, clock);
  const hours = createHourStore(database);
  const retention = createRetention({ database, compaction, privacy, hours, audit, clock });
  const erasure = erasureAlone({ ...retention, database, fragments, hours, audit, sweepLetters, cursors, clock });
  const erasing = { ...erasure, database, clock, logger: silentLogger(), settleMs: QUIET_MS };
  const writer = createStoreSpans({
    ...{ ...erasure, fragments, places, conversations, clock, quietMs: QUIET_MS },
    ensureSweeps: retention.sweeps.ensure,
    ...(maxNamedOfTrace === undefined ? {} : { maxNamedOfTrace }),
  });
  const readConversations = createReadConversations({
    ...{ fragments, calls, scores, snapshots },
    ...(limits === undefined ? {} : { limits }),
  });
  const assembler = createAssembler({ database, conversations, snapshots, hours, outbox, clock, readConversations });
  const loop: AssemblerLoopOptions = {
    ...{ assembler, conversations, due, fragments, compaction, clock, concurrency: 1 },
    logger: silentLogger(),
  };
  return {
    stores: { fragments, places, compaction, conversations, snapshots, due, scores, hours },
    setFindingCounts: createSetFindingCounts(database, { conversations, hours }),
    readSeries: createSeriesService(hours),
    ...{ database, audit, clock, writer, readConversations, assembler, loop, retention, erasure },
    /** Assembles a conversation from its current records and scores. */
    read: (conversation: KnownConversation) => readConversation(readConversations, conversation),
    /** Stores messages one after the other. */
    async store(...messages: SpansMessage[]) {
      for (const message of messages) await writer.store(message);
    },
    /** Lets the quiet period pass, and assembles all conversations that are then due. */
    async settleAll() {
      clock.advance(QUIET_MS);
      while ((await assembleDue(loop)) > 0);
    },
    /** Runs each due sweep to its end. */
    async sweepAll(mechanisms = retention.mechanisms): Promise<void> {
      const options = { ...retention, mechanisms, clock, logger: silentLogger(), intervalMs: 3_600_000 };
      while ((await sweepDue(options)) > 0);
    },
    /** Runs each due erasure to its end. */
    eraseAll: (changes: Partial<ErasureLoopOptions> = {}) => eraseAllDue({ ...erasing, ...changes }, clock),
    async conversation(conversationId: string, projectId = PROJECT_ID): Promise<KnownConversation> {
      const found = await conversations.get(projectId, conversationId);
      if (found === undefined) throw new Error(`There is no conversation ${conversationId}`);
      return found;
    },
    async conversationIdsOf(projectId: string): Promise<string[]> {
      return await conversationModel(database.connection).distinct('conversationId', { projectId });
    },
    /** Takes a conversation out of the lists. */
    async unlist(conversationId: string): Promise<void> {
      const _id = conversationKey(PROJECT_ID, conversationId);
      await conversationModel(database.connection).updateOne({ _id }, { $set: { listed: false } });
    },
    async snapshotOf(conversationId: string) {
      const { snapshotId } = await this.conversation(conversationId);
      return snapshotId === null ? undefined : await snapshots.read(PROJECT_ID, snapshotId);
    },
    /** Texts of the messages in the latest snapshot. */
    async said(conversationId: string): Promise<string[] | undefined> {
      return (await this.snapshotOf(conversationId))?.messages.map(({ content }) => content);
    },
    /** Announced events of a conversation, in order; of all conversations if none is named. */
    async announced(conversationId?: string): Promise<ReadyEvent[]> {
      const events = await this.announcedOf(PROJECT_ID);
      return conversationId === undefined ? events : events.filter((event) => event.conversationId === conversationId);
    },
    async announcedOf(projectId: string): Promise<ReadyEvent[]> {
      return (await emittedMessages(database, conversationReady, projectId)).flatMap(({ data }) => data.conversations);
    },
  };
}

async function eraseAllDue(options: ErasureLoopOptions, clock: FixedClock): Promise<void> {
  for (;;) {
    if ((await eraseDue(options)) > 0) continue;
    clock.advance(QUIET_MS);
    if ((await eraseDue(options)) === 0) return;
  }
}
