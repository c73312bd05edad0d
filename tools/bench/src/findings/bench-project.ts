import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Db, Document } from 'mongodb';
import { createClient, type Client } from '../support/client.ts';
import { prepareForm } from '../support/measured-form.ts';
import { openServers } from '../support/servers.ts';
import { startService } from '../support/service-process.ts';
import type { Measured } from '../support/timed-requests.ts';

const INSERTED_AT_ONCE = 5_000;
const DIAGNOSTICS = {
  app: 'diagnostics-svc',
  scopes: ['diagnostics:read'],
  // No service listens at these addresses: listing Findings does not need them.
  env: {
    MOUNT_RULES: 'false',
    TELEMETRY_WAREHOUSE_URL: 'http://127.0.0.1:9',
    MODEL_RUNTIME_SVC_URL: 'http://127.0.0.1:9',
  },
} as const;

export interface BenchedService {
  client: Client;
  database: Db;
  projectId: string;
  /** Processes of the service and its database. */
  processes: Measured;
}

/** Runs diagnostics-svc on servers of its own for one benchmark. */
export async function withDiagnostics<Result>(
  from: string,
  use: (service: BenchedService) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'clew-bench-'));
  const servers = await openServers();
  const service = await startService(DIAGNOSTICS, { folder, servers, from: await prepareForm(from) });
  const client = createClient(service);
  try {
    const processes = { service: service.pid, mongod: servers.mongodPid };
    return await use({ client, database: service.database, projectId: service.projectId, processes });
  } finally {
    await client.close();
    await service.stop();
    await servers.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function insertAll(database: Db, name: string, documents: Iterable<Document>): Promise<void> {
  const collection = database.collection(name);
  let batch: Document[] = [];
  for (const document of documents) {
    batch.push(document);
    if (batch.length < INSERTED_AT_ONCE) continue;
    await collection.insertMany(batch, { ordered: false });
    batch = [];
  }
  if (batch.length > 0) await collection.insertMany(batch, { ordered: false });
}

/** Counters of the server so far: collection scans, sorts in memory, and index keys and documents examined. */
export async function scansOf(database: Db) {
  const { metrics } = await database.command({ serverStatus: 1, metrics: 1 });
  return {
    collectionScans: Number(metrics.queryExecutor.collectionScans.nonTailable),
    sortsInMemory: Number(metrics.operation.scanAndOrder),
    keys: Number(metrics.queryExecutor.scanned),
    documents: Number(metrics.queryExecutor.scannedObjects),
  };
}
