import { Schema, type Connection, type Model, type mongo } from 'mongoose';
import type { AnalysisTrigger } from '@clew/contracts';
import { modelOf, nativeDb } from '@clew/persistence';
import { ruleKeyOf, type Analysis, type Found, type Run } from './analysis.ts';

interface Unfinished {
  rule: string;
  reason: string;
}

/**
 * Stored analysis. All Rule names share one text, and a Rule that succeeded has no further data, so twenty Rules cost
 * little more than one.
 */
export interface AnalysisDocument {
  _id: string;
  projectId: string;
  conversationId: string;
  snapshotId: string;
  createdAt: number;
  trigger?: AnalysisTrigger;
  endedAt: number | null;
  /** Absent if no run is queued. */
  queuedAt?: number;
  /** Keys of its Rules, separated by spaces. */
  rules: string;
  /** Keys of queued runs, once others have ended. */
  queued?: string;
  failed?: Unfinished[];
  skipped?: Unfinished[];
  found?: Found[];
}

const text = { type: String, required: true } as const;
const list = { type: Schema.Types.Mixed } as const;

const analysisSchema = new Schema<AnalysisDocument>(
  {
    _id: text,
    projectId: text,
    conversationId: text,
    snapshotId: text,
    createdAt: { type: Number, required: true },
    trigger: { type: String },
    endedAt: { type: Number, default: null },
    queuedAt: Number,
    rules: text,
    queued: { type: String },
    failed: list,
    skipped: list,
    found: list,
  },
  { collection: 'analyses', versionKey: false },
);

/** Names of the indexes of lists, as the database gives them. */
export const LIST_INDEXES = {
  conversation: 'projectId_1_conversationId_1_createdAt_-1__id_-1',
  project: 'projectId_1_createdAt_-1__id_-1',
} as const;
const OF_CONVERSATION = { projectId: 1, conversationId: 1, createdAt: -1, _id: -1 } as const;
const OF_PROJECT = { projectId: 1, createdAt: -1, _id: -1 } as const;
/** Begins with the shard key; lists the analyses of a conversation, and an erasure finds them by it. */
analysisSchema.index(OF_CONVERSATION, { name: LIST_INDEXES.conversation });
/** Lists the analyses of a project. */
analysisSchema.index(OF_PROJECT, { name: LIST_INDEXES.project });
/** Index of the analyses with queued runs. */
analysisSchema.index({ queuedAt: 1 }, { partialFilterExpression: { queuedAt: { $gt: 0 } }, name: 'queued' });

export function analysisModel(connection: Connection): Model<AnalysisDocument> {
  return modelOf(connection, 'Analysis', analysisSchema);
}

/** Native collection for reads and writes in groups, which need no casting. */
export function analysisCollection(connection: Connection): mongo.Collection<AnalysisDocument> {
  return nativeDb(connection).collection(analysisModel(connection).collection.name);
}

export function analysisOf(document: AnalysisDocument): Analysis {
  const { _id, rules, queued, failed, skipped, found = [], ...rest } = document;
  const isUntouched = document.endedAt === null && queued === undefined;
  const runs = new Map(
    keysOf(rules).map((key): [string, Run] => [
      key,
      { ...ruleOf(key), state: isUntouched ? 'queued' : 'succeeded', reason: null },
    ]),
  );
  for (const key of keysOf(queued)) runs.set(key, { ...ruleOf(key), state: 'queued', reason: null });
  for (const { rule, reason } of failed ?? []) runs.set(rule, { ...ruleOf(rule), state: 'failed', reason });
  for (const { rule, reason } of skipped ?? []) runs.set(rule, { ...ruleOf(rule), state: 'skipped', reason });
  return { id: _id, ...rest, runs, found };
}

export function documentOf(analysis: Analysis): AnalysisDocument {
  const { id, projectId, conversationId, snapshotId, createdAt, trigger, endedAt, queuedAt, runs, found } = analysis;
  const all = [...runs.values()];
  const queued = all.filter(({ state }) => state === 'queued');
  const [failed, skipped] = [unfinished(all, 'failed'), unfinished(all, 'skipped')];
  return {
    ...{ _id: id, projectId, conversationId, snapshotId, createdAt, endedAt, rules: textOf(all) },
    ...(trigger === undefined ? {} : { trigger }),
    ...(queuedAt === undefined ? {} : { queuedAt }),
    ...(queued.length === 0 || queued.length === all.length ? {} : { queued: textOf(queued) }),
    ...(failed.length === 0 ? {} : { failed }),
    ...(skipped.length === 0 ? {} : { skipped }),
    ...(found.length === 0 ? {} : { found: [...found] }),
  };
}

function unfinished(runs: readonly Run[], wanted: 'failed' | 'skipped'): Unfinished[] {
  return runs.flatMap((run) => (run.state === wanted ? [{ rule: ruleKeyOf(run), reason: run.reason ?? '' }] : []));
}

function textOf(runs: readonly Run[]): string {
  return runs.map(ruleKeyOf).join(' ');
}

function keysOf(rules: string | undefined): string[] {
  return rules === undefined ? [] : rules.split(' ');
}

function ruleOf(key: string): { ruleId: string; revision?: string } {
  const at = key.indexOf('@');
  return at === -1 ? { ruleId: key } : { ruleId: key.slice(0, at), revision: key.slice(at + 1) };
}
