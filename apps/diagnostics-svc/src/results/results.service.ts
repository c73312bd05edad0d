import { conversationFindingsChanged } from '@clew/contracts';
import type { Clock } from '@clew/kernel';
import type { Database, Inbox, Outbox, Transaction } from '@clew/persistence';
import { describedBy } from '../findings/finding.ts';
import type { RunEnd, RunStore } from '../runs/runs.store.ts';
import { applyResult, type AnalysisResult, type ResultState } from './apply-results.ts';
import { conversationKey, type ResultStore } from './results.store.ts';

export interface ResultsDependencies {
  database: Database;
  inbox: Inbox;
  outbox: Outbox;
  runs: RunStore;
  results: ResultStore;
  clock: Clock;
}

/** Takes what workers found: many results in one transaction, since they share Findings. */
export function createResultsService({ database, inbox, outbox, runs, results, clock }: ResultsDependencies) {
  async function announceCounts(tx: Transaction, taken: readonly AnalysisResult[], nowMs: number): Promise<void> {
    const counts = await results.countByConversation(tx, taken);
    const latest = new Map(
      taken.map((result) => [conversationKey(result.projectId, result.data.conversationId), result]),
    );
    for (const [key, { id, projectId, requestId, data }] of latest) {
      const { conversationId, snapshot } = data;
      await outbox.append(tx, conversationFindingsChanged, {
        key: id,
        projectId,
        requestId,
        occurredAt: nowMs,
        data: { conversationId, findingCount: counts.get(key) ?? 0, sequence: snapshot.revision },
      });
    }
  }

  /** A Finding whose primary occurrence was withdrawn is described by the first detected of those that are left. */
  async function describeAnew(tx: Transaction, state: ResultState): Promise<void> {
    for (const finding of [...state.findings.values()]) {
      if (finding.primaryOccurrenceId !== null || finding.occurrenceCount === 0) continue;
      const next = await results.firstOccurrence(tx, finding.projectId, finding.id);
      if (next !== undefined) state.findings.set(finding.id, describedBy(finding, next));
    }
  }

  return async (batch: readonly AnalysisResult[]): Promise<void> => {
    await database.withTransaction(async (tx) => {
      const fresh = await inbox.accept(
        tx,
        batch.map(({ id }) => id),
      );
      const taken = uniqueById(batch).filter(({ id }) => fresh.has(id));
      if (taken.length === 0) return;
      const now = clock.now();
      const before = await results.load(tx, taken);
      const after = copyOf(before);
      for (const result of taken) applyResult(after, result, now);
      await results.save(tx, before, after);
      const written = copyOf(after);
      await describeAnew(tx, after);
      await results.save(tx, written, after);
      await runs.finish(tx, taken.flatMap(runEndsOf), now);
      await announceCounts(tx, taken, now);
    });
  };
}

function copyOf(state: ResultState): ResultState {
  return {
    findings: new Map(state.findings),
    occurrences: new Map(state.occurrences),
    progress: new Map(state.progress),
  };
}

function uniqueById(batch: readonly AnalysisResult[]): AnalysisResult[] {
  return [...new Map(batch.map((result) => [result.id, result])).values()];
}

function runEndsOf({ data }: AnalysisResult): RunEnd[] {
  return data.runs.map(({ runId, outcome }) => ({
    runId,
    state: outcome.status,
    reason: outcome.status === 'succeeded' ? null : outcome.reason,
  }));
}
