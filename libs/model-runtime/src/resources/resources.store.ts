import type { UpdateQuery } from 'mongoose';
import type { BackOff } from '@clew/kernel';
import type { Database, Transaction } from '@clew/persistence';
import type { RuntimeProblem } from '@clew/contracts';
import { generationModel, resourceModel, type ResourceDocument } from './resource.model.ts';
import {
  failedAttempt,
  unwanted,
  type Desired,
  type ProbeTime,
  type Progress,
  type Resource,
  type Retry,
} from './resource.ts';

/**
 * Identity of the incarnation that an agent works on, for one purpose: its writes have an effect only while this is the
 * current one.
 */
export interface Fence {
  id: string;
  generation: number;
  desired: Desired;
  claimEpoch: number;
}

export interface ProgressReport {
  stage?: string | null;
  progress?: Progress;
  failureCount?: number;
  /** Lines to add to the log. */
  lines?: readonly string[];
}

/** Operations of projects on resources. */
export interface ProjectSide {
  get(id: string, tx?: Transaction): Promise<Resource | undefined>;
  list(ids: readonly string[]): Promise<Resource[]>;
  /** Returns those of the resources that are ready. */
  readyAmong(ids: readonly string[]): Promise<Set<string>>;
  put(tx: Transaction, resource: Resource): Promise<void>;
  /** Returns the next generation of a subject; generations only grow, even if their resource is long gone. */
  nextGeneration(tx: Transaction, subject: string): Promise<number>;
  changeHolders(tx: Transaction, resource: Resource, by: 1 | -1, nowMs: number): Promise<void>;
  /**
   * Marks a resource as used by another one that is about to depend on it: a concurrent release conflicts with this
   * write.
   */
  pin(tx: Transaction, id: string, nowMs: number): Promise<void>;
  release(tx: Transaction, resource: Resource, nowMs: number): Promise<void>;
  touch(id: string, nowMs: number): Promise<void>;
  /** Records the start of a probe, and the time by which it will have ended. */
  beginProbe(id: string, probe: ProbeTime): Promise<void>;
  /** Records the end of a probe; one that has begun since then is left as it is. */
  endProbe(id: string, probe: ProbeTime, nowMs: number): Promise<void>;
}

/** Operations of a node's agent on resources. */
export interface AgentSide {
  /** Returns the resources that need work by a node's agent, including those that wait for their next attempt. */
  unsettled(node: string): Promise<Resource[]>;
  /** Claims an incarnation to work on it; undefined if it is no longer the current one. */
  claim(resource: Resource, epoch: number, nowMs: number): Promise<{ fence: Fence; resource: Resource } | undefined>;
  /** Returns whether the incarnation was still the current one, as do the methods below. */
  report(fence: Fence, report: ProgressReport, nowMs: number): Promise<boolean>;
  /** Records success. If this settles the resource, earlier failures no longer count. */
  succeed(fence: Fence, outcome: unknown, settled: boolean, nowMs: number): Promise<boolean>;
  fail(resource: Resource, fence: Fence, error: RuntimeProblem, retry: Retry, nowMs: number): Promise<boolean>;
  removed(fence: Fence, nowMs: number): Promise<boolean>;
  goIdle(fence: Fence, nowMs: number): Promise<boolean>;
  /** Stops new calls to a service; the next agent starts it again. */
  suspend(fence: Fence, nowMs: number): Promise<boolean>;
  /** Has an artifact that was found damaged made again, with the same generation. */
  redo(id: string, generation: number, error: RuntimeProblem, nowMs: number): Promise<boolean>;
}

export type ResourceStore = ProjectSide & AgentSide;

const LOG_LINES = 200;

export interface ResourceStoreOptions {
  /** Pauses after failed attempts; by default 10, 20, 40, ... 300 seconds. */
  backOff?: BackOff | undefined;
}

export function createResourceStore(database: Database, options: ResourceStoreOptions = {}): ResourceStore {
  return { ...projectSide(database), ...agentSide(database, options) };
}

function projectSide(database: Database): ProjectSide {
  const model = resourceModel(database.connection);
  const generations = generationModel(database.connection);
  return {
    async get(id: string, tx?: Transaction) {
      const document = await model
        .findOne({ _id: id })
        .session(tx ?? null)
        .lean<ResourceDocument>();
      return document === null ? undefined : fromDocument(document);
    },
    async list(ids: readonly string[]) {
      if (ids.length === 0) return [];
      const documents = await model
        .find({ _id: { $in: [...ids] } }, { log: { $slice: -20 } })
        .lean<ResourceDocument[]>();
      return documents.map(fromDocument);
    },
    async readyAmong(ids: readonly string[]) {
      if (ids.length === 0) return new Set();
      const found = await model.find({ _id: { $in: [...ids] }, state: 'ready' }, { _id: 1 }).lean();
      return new Set(found.map(({ _id }) => _id));
    },
    async put(tx: Transaction, { id: _id, ...rest }: Resource) {
      await model.updateOne({ _id }, { $set: rest }, { upsert: true, session: tx });
    },
    async nextGeneration(tx: Transaction, subject: string) {
      const document = await generations
        .findOneAndUpdate(
          { _id: subject },
          { $inc: { value: 1 } },
          { upsert: true, returnDocument: 'after', session: tx },
        )
        .lean();
      return document.value;
    },
    async changeHolders(tx: Transaction, { id: _id }: Resource, by: 1 | -1, nowMs: number) {
      await model.updateOne({ _id }, { $inc: { holderCount: by }, $set: { lastUsedAt: nowMs } }, { session: tx });
    },
    async pin(tx: Transaction, _id: string, nowMs: number) {
      await model.updateOne({ _id }, { $set: { lastUsedAt: nowMs } }, { session: tx });
    },
    async release(tx: Transaction, { id: _id, generation }: Resource, nowMs: number) {
      await model.updateOne({ _id, generation }, { $set: unwanted('requested', nowMs) }, { session: tx });
    },
    async touch(_id: string, nowMs: number) {
      await model.updateOne({ _id }, { $max: { lastUsedAt: nowMs } });
    },
    async beginProbe(_id: string, probe: ProbeTime) {
      await model.updateOne({ _id }, { $set: { probe } });
    },
    async endProbe(_id: string, { fromMs }: ProbeTime, nowMs: number) {
      await model.updateOne({ _id, 'probe.fromMs': fromMs }, { $set: { 'probe.untilMs': nowMs } });
    },
  };
}

function agentSide(database: Database, { backOff }: ResourceStoreOptions): AgentSide {
  const model = resourceModel(database.connection);

  async function change(fence: Fence, update: UpdateQuery<ResourceDocument>): Promise<boolean> {
    const { id: _id, generation, desired, claimEpoch } = fence;
    const { matchedCount } = await model.updateOne({ _id, generation, desired, claimEpoch }, update);
    return matchedCount === 1;
  }

  return {
    async unsettled(node) {
      return (await model.find({ node, settled: false }).lean<ResourceDocument[]>()).map(fromDocument);
    },
    async claim({ id, generation, desired }, epoch, nowMs) {
      const state = desired === 'present' ? 'working' : 'removing';
      const document = await model
        .findOneAndUpdate(
          { _id: id, generation, desired, settled: false, claimEpoch: { $lte: epoch } },
          { $set: { state, claimEpoch: epoch, nextAttemptAt: null, updatedAt: nowMs } },
          { returnDocument: 'after' },
        )
        .lean<ResourceDocument>();
      if (document === null) return undefined;
      return { fence: { id, generation, desired, claimEpoch: epoch }, resource: fromDocument(document) };
    },
    report: (fence, { lines = [], ...changed }, nowMs) =>
      change(fence, {
        $set: { ...changed, updatedAt: nowMs },
        ...(lines.length === 0 ? {} : { $push: { log: { $each: [...lines], $slice: -LOG_LINES } } }),
      }),
    succeed: (fence, outcome, settled, nowMs) =>
      change(fence, {
        $set: {
          state: 'ready',
          ...{ settled, outcome, stage: null, error: null, nextAttemptAt: null },
          ...(settled ? { failureCount: 0 } : {}),
          updatedAt: nowMs,
        },
      }),
    fail: (resource, fence, error, retry, nowMs) =>
      change(fence, { $set: failedAttempt({ ...resource, desired: fence.desired }, error, retry, nowMs, backOff) }),
    removed: (fence, nowMs) =>
      change(fence, { $set: { state: 'removed', settled: true, outcome: null, stage: null, updatedAt: nowMs } }),
    goIdle: (fence, nowMs) => change(fence, { $set: unwanted('idle', nowMs) }),
    suspend: (fence, nowMs) => change(fence, { $set: { state: 'queued', stage: null, updatedAt: nowMs } }),
    async redo(id, generation, error, nowMs) {
      const again = { state: 'queued', settled: false, error, progress: null, updatedAt: nowMs };
      const { matchedCount } = await model.updateOne(
        { _id: id, generation, desired: 'present', state: 'ready' },
        { $set: again },
      );
      return matchedCount === 1;
    },
  };
}

function fromDocument({ _id, ...rest }: ResourceDocument): Resource {
  return { id: _id, ...rest };
}
