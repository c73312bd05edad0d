import { conversationFindingsChanged } from '@clew/contracts';
import { sha256Hex, type Clock } from '@clew/kernel';
import type { Database, Inbox, Outbox, Transaction } from '@clew/persistence';
import { lacksPrimary, withPrimary } from '../findings/finding.ts';
import type { RunEnd, RunStore } from '../runs/runs.store.ts';
import { applyResults, conversationKey, type AnalysisResult, type ResultState } from './apply-results.ts';
import type { ResultStore } from './results.store.ts';

export interface ResultsDependencies {
  database: Database;
  inbox: Inbox;
  outbox: Outbox;
  runs: RunStore;
  results: ResultStore;
  clock: Clock;
}

interface TakenResults {
  taken: readonly AnalysisResult[];
  before: ResultState;
  after: ResultState;
  nowMs: number;
}

/** Takes what workers found: many results in one transaction, since they share Findings. */
export function createResultsService({ database, inbox, outbox, runs, results, clock }: ResultsDependencies) {
  /** Findings whose primary occurrence was withdrawn are described by the first detected of those that are left. */
  async function handOverPrimaries(tx: Transaction, state: ResultState): Promise<ResultState> {
    const orphans = [...state.findings.values()].filter(lacksPrimary);
    if (orphans.length === 0) return state;
    const findings = new Map(state.findings);
    const heads = orphans.map(({ head }) => head);
    for (const occurrence of await results.firstOccurrences(tx, heads)) {
      const finding = findings.get(occurrence.findingId);
      if (finding !== undefined) findings.set(occurrence.findingId, withPrimary(finding, occurrence));
    }
    return { ...state, findings };
  }

  /** Tells how many Findings conversations show now, where that has changed. */
  async function announceCounts(tx: Transaction, { taken, before, after, nowMs }: TakenResults): Promise<void> {
    const requestIds = new Map(
      taken.map(({ projectId, requestId, data }) => [conversationKey(projectId, data.conversationId), requestId]),
    );
    for (const [key, { projectId, conversationId, findingCount, version }] of after.conversations) {
      if (findingCount === (before.conversations.get(key)?.findingCount ?? 0)) continue;
      await outbox.append(tx, conversationFindingsChanged, {
        key: `${sha256Hex(key)}:${version}`,
        projectId,
        requestId: requestIds.get(key) ?? null,
        occurredAt: nowMs,
        data: { conversationId, findingCount, sequence: version },
      });
    }
  }

  return async (batch: readonly AnalysisResult[]): Promise<void> => {
    await database.withTransaction(async (tx) => {
      const byId = new Map(batch.map((result) => [result.id, result]));
      const fresh = await inbox.accept(tx, [...byId.keys()]);
      const taken = [...byId.values()].filter(({ id }) => fresh.has(id));
      if (taken.length === 0) return;
      const nowMs = clock.now();
      const before = await results.load(tx, taken);
      const applied = applyResults(before, taken, nowMs);
      await results.saveConversations(tx, before, applied);
      const after = await handOverPrimaries(tx, applied);
      await results.saveFindings(tx, before, after);
      await runs.finish(tx, taken.flatMap(runEndsOf), nowMs);
      await announceCounts(tx, { taken, before, after, nowMs });
    });
  };
}

function runEndsOf({ projectId, data }: AnalysisResult): RunEnd[] {
  return data.runs.map(({ runId, outcome }) => ({
    runId,
    projectId,
    state: outcome.status,
    reason: outcome.status === 'succeeded' ? null : outcome.reason,
  }));
}
