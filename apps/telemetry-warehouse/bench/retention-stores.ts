import type { Clock } from '@clew/kernel';
import { connectMongo, createOutbox, migrate, type Database } from '@clew/persistence';
import { createLogger } from '@clew/runtime';
import { createConversationStore, createDueConversations } from '../src/conversations/index.ts';
import {
  createCallStore,
  createCompaction,
  createFragmentStore,
  createPlaceStore,
  createStoreSpans,
} from '../src/fragments/index.ts';
import { migrations } from '../src/migrations.ts';
import { createRetention } from '../src/retention/index.ts';
import { createScoreStore } from '../src/scores/index.ts';
import { createAssembler, createReadConversations } from '../src/assembly/index.ts';
import { createSnapshotStore } from '../src/snapshots/index.ts';

export const logger = createLogger({ service: 'bench', version: '0', level: 'error' });

export async function openWarehouse(url: string, database: string): Promise<Database> {
  const opened = await connectMongo({ url, database, appName: 'bench', logger, socketTimeoutMs: 0 });
  await migrate(opened, migrations, { logger });
  return opened;
}

/** Writer, assembler and retention over one database, at the time of a clock. */
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
  const ensureSweeps = retention.sweeps.ensure;
  const writer = createStoreSpans({ fragments, places, conversations, ensureSweeps, clock, quietMs: 0 });
  const readConversations = createReadConversations({ fragments, calls, scores, snapshots });
  const assembler = createAssembler({ database, conversations, snapshots, outbox, clock, readConversations });
  const due = createDueConversations(database);
  const loop = { assembler, conversations, due, fragments, compaction, clock, logger, concurrency: 1 };
  return { conversations, snapshots, retention, writer, loop };
}
