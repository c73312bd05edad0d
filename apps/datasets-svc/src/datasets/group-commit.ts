import { mongo } from 'mongoose';
import { datasetChanged } from '@clew/contracts';
import { AppError, newId, notFound, overloaded, type Clock } from '@clew/kernel';
import type { Database, Outbox, Transaction } from '@clew/persistence';
import type { ChangeOptions, DatasetKey, ExampleChanges } from '../examples/index.ts';
import { openChanges, type ChangeStores, type DatasetWork } from './dataset-changes.ts';

/**
 * Change of a Dataset. It runs again if its transaction does, so it must have no effect besides its writes. If it
 * throws an AppError, it leaves nothing behind, and the changes that share its transaction are unaffected.
 */
export type DatasetChangeFunction<Result> = (work: DatasetWork) => Promise<Result> | Result;

/** Makes every change of a Dataset and its Examples; there is no other way to change them. */
export interface GroupCommit extends ExampleChanges {
  /**
   * Changes a Dataset and its Examples in one transaction, with their count, content id, version and event. Changes of
   * one Dataset that wait for an earlier one are committed together, because each of them writes the Dataset's row.
   * Throws NOT_FOUND if there is no such Dataset.
   */
  change<Result>(key: DatasetKey, options: ChangeOptions, change: DatasetChangeFunction<Result>): Promise<Result>;
}

export interface GroupCommitDependencies extends ChangeStores {
  database: Database;
  outbox: Outbox;
  clock: Clock;
  /** Changes of one Dataset that may wait before further ones are refused. */
  maxWaiting: number;
}

interface Job {
  requestId: string;
  weight: number;
  run: DatasetChangeFunction<unknown>;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** Outcome of a job whose transaction may still be committed. */
type Ended = { result: unknown } | { error: AppError };

const MAX_GROUP_JOBS = 256;
const MAX_GROUP_WEIGHT = 1_000;

export function createGroupCommit(deps: GroupCommitDependencies): GroupCommit {
  /** Waiting changes by Dataset; a Dataset has an entry while one of its changes is in progress. */
  const lanes = new Map<string, Job[]>();

  async function drain(key: DatasetKey, lane: string, waiting: Job[]): Promise<void> {
    while (waiting.length > 0) await commit(deps, key, takeGroup(waiting));
    lanes.delete(lane);
  }

  return {
    change(key, { requestId, weight = 1 }, change) {
      const lane = `${key.projectId}/${key.datasetId}`;
      const waiting = lanes.get(lane);
      if (waiting !== undefined && waiting.length >= deps.maxWaiting) {
        throw overloaded('Too many changes of this Dataset are waiting', 1);
      }
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      const job: Job = { requestId, weight, run: change, resolve, reject };
      if (waiting === undefined) {
        const jobs = [job];
        lanes.set(lane, jobs);
        void drain(key, lane, jobs);
      } else waiting.push(job);
      return promise as Promise<never>;
    },
  };
}

function takeGroup(waiting: Job[]): Job[] {
  let weight = 0;
  let count = 0;
  for (const job of waiting) {
    weight += job.weight;
    if (count > 0 && (weight > MAX_GROUP_WEIGHT || count === MAX_GROUP_JOBS)) break;
    count += 1;
  }
  return waiting.splice(0, count);
}

/** Commits jobs and reports each outcome; never rejects. A job that breaks the transaction is not tried again. */
async function commit(deps: GroupCommitDependencies, key: DatasetKey, jobs: readonly Job[]): Promise<void> {
  const left = [...jobs];
  while (left.length > 0) {
    let running: Job | undefined;
    try {
      const ended = await deps.database.withTransaction(async (tx) =>
        applyJobs(deps, tx, key, left, (job) => (running = job)),
      );
      left.forEach((job, index) => settle(job, ended[index]));
      return;
    } catch (error) {
      const culprit = error instanceof mongo.MongoError ? undefined : running;
      if (culprit === undefined) {
        left.forEach((job) => job.reject(error));
        return;
      }
      culprit.reject(error);
      left.splice(left.indexOf(culprit), 1);
    }
  }
}

function settle(job: Job, ended: Ended | undefined): void {
  if (ended === undefined) job.reject(notFound());
  else if ('error' in ended) job.reject(ended.error);
  else job.resolve(ended.result);
}

/** Runs the jobs in one transaction; returns no outcomes if there is no such Dataset. */
async function applyJobs(
  deps: GroupCommitDependencies,
  tx: Transaction,
  key: DatasetKey,
  jobs: readonly Job[],
  onRun: (job: Job | undefined) => void,
): Promise<Ended[]> {
  onRun(undefined);
  const opened = await deps.datasets.open(tx, key);
  if (opened === undefined) return [];
  const nowMs = deps.clock.now();
  const changes = openChanges(tx, opened, deps, nowMs);
  const ended: Ended[] = [];
  for (const job of jobs) {
    onRun(job);
    const work = changes.next();
    try {
      ended.push({ result: await job.run(work) });
      changes.end();
    } catch (error) {
      // The job has changed something, which only a rollback of the whole transaction can undo.
      if (!(error instanceof AppError) || changes.end()) throw error;
      ended.push({ error });
    }
  }
  onRun(undefined);
  const saved = await changes.save();
  if (saved !== undefined) {
    const { id: datasetId, version, contentId, exampleCount } = saved;
    await deps.outbox.append(tx, datasetChanged, {
      // A new id for each transaction, because changed settings make no version that could serve as the key.
      key: newId('evt'),
      projectId: key.projectId,
      requestId: jobs[0]?.requestId ?? null,
      occurredAt: saved.updatedAt,
      data: { datasetId, version, contentId, exampleCount },
    });
  }
  return ended;
}
