import { join } from 'node:path';
import { runTopologyMigration } from '@clew/host';
import { WorkerConfig } from './config.ts';

/** Brings the topology of the broker up to date, for all subscribers; run before a new version is started. */
await runTopologyMigration({ name: 'jobs-worker', appFolder: join(import.meta.dirname, '..'), config: WorkerConfig });
