import { analysisRequested, MAX_ANALYSED_SNAPSHOTS, type AnalysisTrigger } from '@clew/contracts';
import { inParts, sha256Hex, type Clock } from '@clew/kernel';
import { outboxMessage, type AnyOutboxMessage, type Outbox, type Transaction } from '@clew/persistence';
import type { RunnableRule } from '../rules/index.ts';
import {
  analysisIdOf,
  newAnalysis,
  ruleKeyOf,
  withoutRun,
  withQueuedRuns,
  type Analysis,
  type AnalysisTarget,
} from './analysis.ts';
import type { Analyses, AnalysisStore } from './analyses.store.ts';

/** Snapshot with the Rules to run on it. */
export interface WantedAnalysis extends AnalysisTarget {
  requestId: string | null;
  rules: readonly RunnableRule[];
  trigger: AnalysisTrigger;
}

export interface QueueRunsDependencies {
  analyses: AnalysisStore;
  /** Receives the commands. */
  outbox: Pick<Outbox, 'appendMany'>;
  clock: Clock;
}

interface QueuedAnalysis {
  wanted: WantedAnalysis;
  analysis: Analysis;
  added: readonly RunnableRule[];
}

/** Queues runs of each wanted Rule on each snapshot, except those that exist already; returns their number. */
export type QueueRuns = (tx: Transaction, known: Analyses, wanted: readonly WantedAnalysis[]) => Promise<number>;

/**
 * Writes the commands in the transaction that makes the runs, so that there is no run without its command and no
 * command without its runs. Snapshots that lack the same Rules share a command, because a revision of a project's Rule
 * has one configuration.
 */
export function createQueueRuns({ analyses, outbox, clock }: QueueRunsDependencies): QueueRuns {
  function queued(before: Analyses, wanted: readonly WantedAnalysis[], nowMs: number): QueuedAnalysis[] {
    const byId = new Map(wanted.map((each) => [analysisIdOf(each), each]));
    return [...byId].flatMap(([id, target]) => {
      const analysis = before.get(id);
      const added = withoutRun(analysis, target.rules);
      if (added.length === 0) return [];
      const known = analysis ?? newAnalysis(target, nowMs, target.trigger);
      return [{ wanted: target, analysis: withQueuedRuns(known, added, nowMs), added }];
    });
  }

  function commands(all: readonly QueuedAnalysis[], occurredAt: number): AnyOutboxMessage[] {
    const alike = Map.groupBy(all, ({ wanted: { projectId, requestId }, added }) =>
      [projectId, requestId ?? '', ...added.map(ruleKeyOf)].join('\n'),
    );
    const parts = [...alike.values()].flatMap((group) => inParts(group, () => 1, MAX_ANALYSED_SNAPSHOTS));
    return parts.flatMap((part) => {
      const [first] = part;
      if (first === undefined) return [];
      const { projectId, requestId } = first.wanted;
      const named = [...part.map(({ analysis }) => analysis.id), ...first.added.map(ruleKeyOf)];
      return outboxMessage(analysisRequested, {
        key: sha256Hex(named.join('\n')),
        ...{ projectId, requestId, occurredAt },
        data: {
          rules: [...first.added],
          snapshots: part.map(({ wanted: { conversationId, snapshotId } }) => ({ conversationId, snapshotId })),
        },
      });
    });
  }

  return async (tx, known, wanted) => {
    const nowMs = clock.now();
    const all = queued(known, wanted, nowMs);
    await analyses.save(tx, known, new Map(all.map(({ analysis }) => [analysis.id, analysis])));
    await outbox.appendMany(tx, commands(all, nowMs));
    return all.reduce((sum, { added }) => sum + added.length, 0);
  };
}
