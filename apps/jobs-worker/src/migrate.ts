import { join } from 'node:path';
import { runTopologyMigration } from '@clew/host';
import { WorkerConfig } from './config.ts';

/** Declares the broker topology for all subscribers; run it before a new version starts. */
await runTopologyMigration({ name: 'jobs-worker', appFolder: join(import.meta.dirname, '..'), config: WorkerConfig });
