import { rootIdOf } from '../findings/clusters/cluster.ts';
import { occurrenceCollection } from '../findings/finding.model.ts';
import type { Occurrence } from '../findings/occurrence.ts';
import { analysedEvents, analysisIdOf, endedBy, withFound, type AnalysisStore } from '../analyses/index.ts';
import { conversationKey } from '../results/result-state.ts';
import { withId } from '../results/result-documents.ts';
import type { ResultStore } from '../results/results.store.ts';
import { foundBy } from '../results/run-ends.ts';
import { headOfState } from '../results/with-clusters.ts';
import { createStateWriter } from '../results/state-writer.ts';
import type { Clock } from '@clew/kernel';
import type { Database, Outbox, Transaction } from '@clew/persistence';
import type { VerdictDocument } from './adjudication.model.ts';
import type { AdjudicationTarget } from './adjudication.ts';
import { applyVerdict } from './apply-verdict.ts';

export interface VerdictWriterDependencies {
  database: Database;
  results: ResultStore;
  analyses: AnalysisStore;
  outbox: Outbox;
  clock: Clock;
}

/** Applies verdicts in the same way as results of Rules. */
export interface VerdictWriter {
  /** Occurrences from the Rule and the snapshot that the conversation still shows. */
  shownBy(tx: Transaction, target: AdjudicationTarget): Promise<Occurrence[]>;
  apply(tx: Transaction, verdict: VerdictDocument, requestId: string | null): Promise<void>;
}

export function createVerdictWriter(dependencies: VerdictWriterDependencies): VerdictWriter {
  const { database, results, analyses, outbox, clock } = dependencies;
  const writer = createStateWriter(results);

  async function shownBy(tx: Transaction, target: AdjudicationTarget): Promise<Occurrence[]> {
    const { projectId, conversationId, snapshotId, rule } = target;
    // In MongoDB, null also matches an absent field: the first revision has no name.
    const ruleRevision = rule.revision === undefined ? null : Number(rule.revision);
    const filter = { projectId, conversationId, ruleId: rule.ruleId, snapshotId, ruleRevision: ruleRevision as never };
    const found = await occurrenceCollection(database).find(filter, { session: tx }).toArray();
    return found.map(withId);
  }

  return {
    shownBy,
    async apply(tx, verdict, requestId) {
      const { projectId, conversationId, snapshotId, ruleId, revision, model, accuracy, verdicts } = verdict;
      const rule = revision === null ? { ruleId } : { ruleId, revision };
      const target = { projectId, conversationId, snapshotId, rule };
      const nowMs = clock.now();
      const occurrences = await shownBy(tx, target);
      // Nothing is left to judge: a newer snapshot has replaced this one, or a person has split the occurrence off.
      if (occurrences.length === 0) return;
      const before = await results.load(tx, [{ projectId, conversationId, runs: [] }]);
      const { state, left } = applyVerdict(before, { ...target, model, accuracy, verdicts, occurrences }, nowMs);
      if (state === before) return;
      const requestIds = new Map([[conversationKey(projectId, conversationId), requestId]]);
      const { messages } = await writer.write(tx, { before, applied: state, requestIds, nowMs });
      const known = await analyses.load(tx, [target]);
      const id = analysisIdOf(target);
      const analysis = known.get(id);
      const isWithdrawn = left.length < occurrences.length;
      const headOf = headOfState(before);
      const found = left.map(({ detection, findingId }) => ({ detection, findingId: rootIdOf(findingId, headOf) }));
      const changed =
        analysis === undefined || !isWithdrawn
          ? known
          : new Map([[id, withFound(analysis, ruleId, foundBy(ruleId, found))]]);
      await analyses.save(tx, known, changed);
      await outbox.appendMany(tx, [...messages, ...analysedEvents(endedBy(known, changed), [verdict._id], nowMs)]);
    },
  };
}
