// Usage: node --conditions=clew-source retention.ts fill|sweep|read|disk <mongo url> <database> [spans] [file]
// fill: stores `spans` spans that have expired, and a twentieth as many that have not; each line of the file has the
// telemetry groups of one conversation. sweep: removes all expired data. read: lists and reads conversations that stay,
// until its input ends. disk: measures the database files. Each command prints its figures as JSON.
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '@clew/kernel';
import { nativeDb, type Database } from '@clew/persistence';
import { DAY_MS } from '../src/retention/index.ts';
import { fill, PROJECT_ID } from './retention-fill.ts';
import { createStores, openWarehouse } from './retention-stores.ts';
import { sweep } from './retention-sweep.ts';

/** Age at which words have expired, and records have not. */
const EXPIRED_MS = 40 * DAY_MS;
const STAYING_SHARE = 1 / 20;

const [mode = '', url = '', name = '', count = '0', file = ''] = process.argv.slice(2);
const database = await openWarehouse(url, name);
const modes: Record<string, () => Promise<object>> = {
  fill: () => fillBoth(Number(count)),
  sweep: () => sweep(database),
  read,
  disk: () => disk(database),
};
const figures = await modes[mode]?.();
await database.close();
// A pipe takes only so much at a time, and the rest would be lost when the process exits.
await new Promise((done) => process.stdout.write(`${JSON.stringify(figures)}\n`, done));
// An open standard input would keep the process alive.
process.exit(0);

async function fillBoth(spans: number): Promise<object> {
  const expired = await fill(database, file, spans, Date.now() - EXPIRED_MS);
  const staying = await fill(database, file, spans * STAYING_SHARE, Date.now());
  return { expired, staying };
}

async function read(): Promise<object> {
  const { conversations, snapshots } = createStores(database, systemClock);
  let isOver = false;
  process.stdin.on('end', () => (isOver = true)).resume();
  const reads: { atMs: number; ms: number }[] = [];
  while (!isOver) {
    const [atMs, startedAtMs] = [Date.now(), performance.now()];
    const { items } = await conversations.list(PROJECT_ID, {}, { limit: 20 });
    const snapshotId = items[reads.length % Math.max(1, items.length)]?.snapshotId;
    if (snapshotId) await snapshots.read(PROJECT_ID, snapshotId);
    reads.push({ atMs, ms: performance.now() - startedAtMs });
    await sleep(20);
  }
  return { reads };
}

/** Size of the files, and the part of it that the database can use again, by collection. */
async function disk({ connection }: Database): Promise<object> {
  const db = nativeDb(connection);
  // Removed data is kept for reads of the past, by default for five minutes, and only then becomes reusable.
  await db.admin().command({ setParameter: 1, minSnapshotHistoryWindowInSeconds: 0 });
  for (let checkpoint = 0; checkpoint < 3; checkpoint += 1) await db.admin().command({ fsync: 1 });
  const sizes: Record<string, object> = {};
  for (const { name: collection } of await db.listCollections({}, { nameOnly: true }).toArray()) {
    const stages = [{ $collStats: { storageStats: {} } }];
    const [found] = await db.collection(collection).aggregate<{ storageStats: StorageStats }>(stages).toArray();
    if (found === undefined || found.storageStats.count === 0) continue;
    const { count: documents, storageSize, freeStorageSize, totalIndexSize, indexDetails } = found.storageStats;
    const free = Object.values(indexDetails).map((one) => one['block-manager']['file bytes available for reuse']);
    sizes[collection] = {
      ...{ documents, storageMib: storageSize / 2 ** 20, storageFreeMib: freeStorageSize / 2 ** 20 },
      ...{ indexMib: totalIndexSize / 2 ** 20, indexFreeMib: free.reduce((sum, bytes) => sum + bytes, 0) / 2 ** 20 },
    };
  }
  return sizes;
}

interface StorageStats {
  count: number;
  storageSize: number;
  freeStorageSize: number;
  totalIndexSize: number;
  indexDetails: Record<string, { 'block-manager': { 'file bytes available for reuse': number } }>;
}
