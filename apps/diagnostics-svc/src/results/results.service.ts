import { inParts, type Clock } from '@clew/kernel';
import type { Database, Inbox, Outbox, Transaction } from '@clew/persistence';
import { analysedEvents, endedBy, type AnalysisStore, type Announcement } from '../analyses/index.ts';
import type { AnalysisResult, ResultMessage } from './analysis-result.ts';
import { applyResults } from './apply-results.ts';
import { conversationKey, type ResultState } from './result-state.ts';
import type { ResultStore } from './results.store.ts';
import { withEnds } from './run-ends.ts';
import { withSignsOfSuccess } from './signs-of-success.ts';
import { createStateWriter } from './state-writer.ts';
import { headOfState } from './with-clusters.ts';

/** Changes made by a batch of results. */
export interface TakenResults {
  taken: readonly AnalysisResult[];
  before: ResultState;
  after: ResultState;
  /** Snapshots of which all Rules have ended with it, or that have changed since. */
  ended: readonly Announcement[];
  nowMs: number;
}

export interface ResultsDependencies<Prepared> {
  database: Database;
  inbox: Inbox;
  outbox: Outbox;
  analyses: AnalysisStore;
  results: ResultStore;
  clock: Clock;
  /** Removes results that no longer count, in the transaction that applies the rest. */
  admit: (tx: Transaction, results: readonly AnalysisResult[]) => Promise<readonly AnalysisResult[]>;
  /** Reads, before the transactions, what further work on the results of these projects needs. */
  prepare: (projectIds: readonly string[]) => Promise<Prepared>;
  /** Adds further work to the transaction, such as adjudications of new findings. */
  afterwards: (tx: Transaction, results: TakenResults, prepared: Prepared) => Promise<void>;
}

/** Results per transaction, so that it stays short however large the messages of a batch are. */
const MAX_RESULTS_OF_TRANSACTION = 1_000;

/** Applies the results of workers: many in one transaction, because they share Findings. */
export function createResultsService<Prepared>(dependencies: ResultsDependencies<Prepared>) {
  const { database, inbox, outbox, analyses, results, clock, admit, afterwards, prepare } = dependencies;
  const writer = createStateWriter(results);

  async function take(tx: Transaction, messages: readonly ResultMessage[], prepared: Prepared): Promise<void> {
    const byId = new Map(messages.map((message) => [message.id, message]));
    const fresh = await inbox.accept(tx, [...byId.keys()]);
    const told = [...byId.values()].filter(({ id }) => fresh.has(id)).flatMap((message) => message.results);
    if (told.length === 0) return;
    const taken = await admit(tx, told);
    const nowMs = clock.now();
    const projectIds = taken.map(({ projectId }) => projectId);
    const awaiting = await results.exposures.awaiting(tx, projectIds);
    const before = await results.load(tx, taken, awaiting);
    const applied = applyResults(before, taken, nowMs);
    const requestIds = new Map(
      taken.map(({ projectId, requestId, conversationId }) => [conversationKey(projectId, conversationId), requestId]),
    );
    const change = { before, applied, requestIds, nowMs, evaluated: taken };
    const { after, messages: counts } = await writer.write(tx, change);
    const known = await analyses.load(tx, taken);
    const ended = withEnds(known, taken, { headOf: headOfState(after), nowMs });
    await analyses.save(tx, known, ended);
    const announcements = withSignsOfSuccess(endedBy(known, ended), taken, after);
    await outbox.appendMany(tx, [...counts, ...analysedEvents(announcements, [...fresh], nowMs)]);
    await afterwards(tx, { taken, before, after, ended: announcements, nowMs }, prepared);
  }

  return async (batch: readonly ResultMessage[]): Promise<void> => {
    const parts = inParts(batch, (message) => message.results.length, MAX_RESULTS_OF_TRANSACTION);
    const projectIds = batch.flatMap((message) => message.results.map(({ projectId }) => projectId));
    const prepared = await prepare(projectIds);
    for (const part of parts) await database.withTransaction((tx) => take(tx, part, prepared));
  };
}
