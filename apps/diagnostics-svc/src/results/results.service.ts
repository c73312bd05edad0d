import { inParts, type Clock } from '@clew/kernel';
import type { Database, Inbox, Outbox, Transaction } from '@clew/persistence';
import { analysedEvents, endedBy, type AnalysisStore } from '../analyses/index.ts';
import type { AnalysisResult, ResultMessage } from './analysis-result.ts';
import { applyResults } from './apply-results.ts';
import { conversationKey, type ResultState } from './result-state.ts';
import type { ResultStore } from './results.store.ts';
import { withEnds } from './run-ends.ts';
import { createStateWriter } from './state-writer.ts';
import { headOfState } from './with-clusters.ts';

/** Changes made by a batch of results. */
export interface TakenResults {
  taken: readonly AnalysisResult[];
  before: ResultState;
  after: ResultState;
  nowMs: number;
}

export interface ResultsDependencies {
  database: Database;
  inbox: Inbox;
  outbox: Outbox;
  analyses: AnalysisStore;
  results: ResultStore;
  clock: Clock;
  /** Removes results that no longer count, in the transaction that applies the rest. */
  admit: (tx: Transaction, results: readonly AnalysisResult[]) => Promise<readonly AnalysisResult[]>;
  /** Adds further work to the transaction, such as adjudications of new findings. */
  afterwards?: (tx: Transaction, results: TakenResults) => Promise<void>;
}

/** Results per transaction, so that it stays short however large the messages of a batch are. */
const MAX_RESULTS_OF_TRANSACTION = 1_000;

/** Applies the results of workers: many in one transaction, because they share Findings. */
export function createResultsService(dependencies: ResultsDependencies) {
  const { database, inbox, outbox, analyses, results, clock, admit, afterwards } = dependencies;
  const writer = createStateWriter(results);

  async function take(tx: Transaction, messages: readonly ResultMessage[]): Promise<void> {
    const byId = new Map(messages.map((message) => [message.id, message]));
    const fresh = await inbox.accept(tx, [...byId.keys()]);
    const told = [...byId.values()].filter(({ id }) => fresh.has(id)).flatMap((message) => message.results);
    if (told.length === 0) return;
    const taken = await admit(tx, told);
    const nowMs = clock.now();
    const before = await results.load(tx, taken);
    const applied = applyResults(before, taken, nowMs);
    const requestIds = new Map(
      taken.map(({ projectId, requestId, conversationId }) => [conversationKey(projectId, conversationId), requestId]),
    );
    const { after, messages: counts } = await writer.write(tx, { before, applied, requestIds, nowMs });
    const known = await analyses.load(tx, taken);
    const ended = withEnds(known, taken, { headOf: headOfState(after), nowMs });
    await analyses.save(tx, known, ended);
    await outbox.appendMany(tx, [...counts, ...analysedEvents(endedBy(known, ended), [...fresh], nowMs)]);
    await afterwards?.(tx, { taken, before, after, nowMs });
  }

  return async (batch: readonly ResultMessage[]): Promise<void> => {
    const parts = inParts(batch, (message) => message.results.length, MAX_RESULTS_OF_TRANSACTION);
    for (const part of parts) await database.withTransaction((tx) => take(tx, part));
  };
}
