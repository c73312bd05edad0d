import type { Clock } from '@clew/kernel';
import { connectMongo, createOutbox, migrate, type Database } from '@clew/persistence';
import { createLogger } from '@clew/runtime';
import { createConversationStore } from '../src/conversations/conversations.store.ts';
import { createDueConversations } from '../src/conversations/due-conversations.store.ts';
import { createCallStore } from '../src/fragments/calls.store.ts';
import { createCompaction } from '../src/fragments/compaction.ts';
import { createFragmentStore } from '../src/fragments/fragments.store.ts';
import { createPlaceStore } from '../src/fragments/places.store.ts';
import { createStoreSpans } from '../src/fragments/store-spans.service.ts';
import { migrations } from '../src/migrations.ts';
import { createRetention } from '../src/retention/create-retention.ts';
import { createScoreStore } from '../src/scores/scores.store.ts';
import { createAssembler } from '../src/settling/assembler.service.ts';
import { createReadConversations } from '../src/settling/read-conversations.ts';
import { createSnapshotStore } from '../src/snapshots/snapshots.store.ts';

export const logger = createLogger({ service: 'bench', version: '0', level: 'error' });

export async function openWarehouse(url: string, database: string): Promise<Database> {
  const opened = await connectMongo({ url, database, appName: 'bench', logger, socketTimeoutMs: 0 });
  await migrate(opened, migrations, { logger });
  return opened;
}

/** The writer, the assembler and retention over one database, at the time of a clock. */
export function createStores(database: Database, clock: Clock) {
  const fragments = createFragmentStore(database);
  const calls = createCallStore(database);
  const compaction = createCompaction(database, fragments);
  const places = createPlaceStore(database);
  const conversations = createConversationStore(database);
  const snapshots = createSnapshotStore(database);
  const scores = createScoreStore(database);
  const outbox = createOutbox(database);
  const retention = createRetention({ database, compaction, clock });
  const { sweeps } = retention;
  const writer = createStoreSpans({ fragments, places, conversations, sweeps, clock, quietMs: 0 });
  const readConversations = createReadConversations({ fragments, calls, scores, snapshots });
  const assembler = createAssembler({ database, conversations, snapshots, outbox, clock, readConversations });
  const due = createDueConversations(database);
  const loop = { assembler, conversations, due, fragments, compaction, clock, logger, concurrency: 1 };
  return { conversations, snapshots, retention, writer, loop };
}
