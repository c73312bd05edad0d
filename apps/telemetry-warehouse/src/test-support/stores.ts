import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { conversationReady } from '@clew/contracts';
import { type EnvelopeOf } from '@clew/contracts';
import { connectMongo, createOutbox, migrate, nativeDb, outboxCollection, type Database } from '@clew/persistence';
import { fixedClock, silentLogger, type FixedClock, type TestEnvironment } from '@clew/testing';
import { createAssembler } from '../settling/assembler.service.ts';
import { assembleDue, type AssemblerLoopOptions } from '../settling/assembler-loop.ts';
import type { OutlineBounds } from '../settling/outline.ts';
import { createReadConversation } from '../settling/read-conversation.ts';
import { conversationKey, conversationModel } from '../conversations/conversation.model.ts';
import { createConversationStore, type KnownConversation } from '../conversations/conversations.store.ts';
import { createDueConversations } from '../conversations/due-conversations.store.ts';
import { migrations } from '../migrations.ts';
import { createScoreStore } from '../scores/scores.store.ts';
import { createSnapshotStore } from '../snapshots/snapshots.store.ts';
import { createRecordStore } from '../spans/records.store.ts';
import { createSpanStore } from '../spans/spans.store.ts';
import { createStoreSpans } from '../spans/store-spans.service.ts';
import { createTraceLinkStore } from '../spans/trace-links.store.ts';
import { PROJECT_ID, STARTED_AT, type SpansMessage } from './spans.ts';

export type ReadyEvent = EnvelopeOf<typeof conversationReady>['data'];

export const QUIET_MS = 60_000;

/** A connection of a test file to its own database, which is empty before each test unless it is to be kept. */
export function useTestDatabase(
  environment: TestEnvironment,
  { keepBetweenTests = false } = {},
): { readonly current: Database } {
  const logger = silentLogger();
  let database: Database | undefined;
  beforeAll(async () => {
    const { mongoUrl: url, database: name } = environment;
    database = await connectMongo({ url, database: name, appName: 'test', logger });
    await migrate(database, migrations, { logger });
  });
  beforeEach(async () => {
    if (database !== undefined && !keepBetweenTests) await emptyDatabase(database);
  });
  afterAll(() => database?.close());
  return {
    get current() {
      if (database === undefined) throw new Error('The database is there from beforeAll on');
      return database;
    },
  };
}

export async function emptyDatabase({ connection }: Database): Promise<void> {
  const collections = await nativeDb(connection).collections();
  const emptied = collections.filter(({ collectionName }) => collectionName !== 'migrations');
  await Promise.all(emptied.map((collection) => collection.deleteMany({})));
}

export interface StoresOptions {
  bounds?: OutlineBounds;
  maxNamedOfTrace?: number;
  /** Replaces some of the stores: to see what they are asked, or to let them fail. */
  wrap?<Store extends object>(name: string, store: Store): Store;
}

export type TestStores = ReturnType<typeof createTestStores>;

/** The writer and the assembler over one database, stepped by the test. */
export function createTestStores(
  database: Database,
  clock: FixedClock = fixedClock(STARTED_AT),
  { bounds, maxNamedOfTrace, wrap = (_name, store) => store }: StoresOptions = {},
) {
  const spans = wrap('spans', createSpanStore(database));
  const links = wrap('links', createTraceLinkStore(database));
  const records = wrap('records', createRecordStore(database));
  const conversations = wrap('conversations', createConversationStore(database));
  const snapshots = wrap('snapshots', createSnapshotStore(database));
  const due = wrap('due', createDueConversations(database));
  const scores = createScoreStore(database);
  const outbox = createOutbox(database);
  const writer = createStoreSpans({
    ...{ spans, links, conversations, clock, quietMs: QUIET_MS },
    ...(maxNamedOfTrace === undefined ? {} : { maxNamedOfTrace }),
  });
  const readConversation = createReadConversation({
    ...{ records, links, scores, snapshots },
    ...(bounds === undefined ? {} : { bounds }),
  });
  const assembler = createAssembler({ database, conversations, snapshots, outbox, clock, readConversation });
  const loop: AssemblerLoopOptions = {
    ...{ assembler, conversations, due, records, clock },
    logger: silentLogger(),
    concurrency: 1,
  };
  const stores = { spans, links, records, conversations, snapshots, due, scores };
  return {
    ...{ database, clock, stores, writer, readConversation, assembler, loop },
    /** Stores messages one after the other. */
    async store(...messages: SpansMessage[]) {
      for (const message of messages) await writer.store(message);
    },
    /** Lets the quiet period pass, and assembles all that is due then. */
    async settleAll() {
      clock.advance(QUIET_MS);
      while ((await assembleDue(loop)) > 0);
    },
    async conversation(conversationId: string, projectId = PROJECT_ID): Promise<KnownConversation> {
      const found = await conversations.get(projectId, conversationId);
      if (found === undefined) throw new Error(`There is no conversation ${conversationId}`);
      return found;
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
    /** What its latest snapshot says, a text for each message. */
    async said(conversationId: string): Promise<string[] | undefined> {
      return (await this.snapshotOf(conversationId))?.messages.map(({ content }) => content);
    },
    /** What was announced of a conversation, in order; of all of them where none is named. */
    async announced(conversationId?: string): Promise<ReadyEvent[]> {
      const events = await this.announcedOf(PROJECT_ID);
      return conversationId === undefined ? events : events.filter((event) => event.conversationId === conversationId);
    },
    async announcedOf(projectId: string): Promise<ReadyEvent[]> {
      const rows = await outboxCollection(database)
        .find({}, { sort: { seq: 1 } })
        .toArray();
      const envelopes = rows.map(({ body }) => JSON.parse(body) as EnvelopeOf<typeof conversationReady>);
      return envelopes.filter((envelope) => envelope.projectId === projectId).map(({ data }) => data);
    },
  };
}
