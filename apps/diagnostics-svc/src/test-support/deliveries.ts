import fc from 'fast-check';
import { SEVERITIES } from '@clew/contracts';
import { sha256Hex } from '@clew/kernel';
import {
  occurrenceOf,
  outranks,
  type EvaluatedSnapshot,
  type Evaluation,
  type Occurrence,
} from '../findings/occurrence.ts';
import { resultMessageOf, type AnalysisResult } from '../results/analysis-result.ts';
import { conversationKey } from '../results/result-state.ts';
import { detectionOf, resultOf, STARTED_AT, together, type CompletedMessage } from './results.ts';

/** Findings of a Rule in a snapshot. */
interface Fact {
  conversationId: string;
  ruleId: string;
  /** Revision of the Rule's configuration; undefined for the first. */
  ruleRevision: string | undefined;
  snapshot: Pick<EvaluatedSnapshot, 'scope' | 'revision' | 'throughMs'>;
  clusters: string[];
}

const part = fc.record({
  scope: fc.constantFrom<EvaluatedSnapshot['scope']>('prefix', 'traces'),
  revision: fc.integer({ min: 1, max: 4 }),
  throughMs: fc.integer({ min: STARTED_AT + 1, max: STARTED_AT + 3 }),
});
const whole = fc
  .integer({ min: 1, max: 4 })
  .map((revision) => ({ scope: 'conversation' as const, revision, throughMs: STARTED_AT + 1_000 * revision }));

const facts: fc.Arbitrary<Fact[]> = fc.uniqueArray(
  fc.record({
    conversationId: fc.constantFrom('conversation-1', 'conversation-2', 'conversation-3'),
    ruleId: fc.constantFrom('rule_a', 'rule_b'),
    ruleRevision: fc.constantFrom(undefined, undefined, '2', '10'),
    snapshot: fc.oneof({ weight: 2, arbitrary: whole }, { weight: 1, arbitrary: part }),
    clusters: fc.subarray(['loop', 'error', 'refusal']),
  }),
  // Each evaluation occurs once, because a Rule always finds the same in a snapshot.
  { minLength: 1, maxLength: 16, selector: ({ clusters: _, ...evaluated }) => JSON.stringify(evaluated) },
);

/**
 * Results of a project on random snapshots, as a broker may deliver them: in any order, repeated, in batches, with one
 * or several conversations in a message.
 */
export const deliveries: fc.Arbitrary<(projectId: string) => CompletedMessage[][]> = facts.chain((found) =>
  fc
    .record({
      once: fc.shuffledSubarray(found, { minLength: found.length }),
      repeats: fc.array(fc.constantFrom(...found), { maxLength: 6 }),
      batchSize: fc.integer({ min: 1, max: 6 }),
      areTogether: fc.boolean(),
    })
    .map(({ once, repeats, batchSize, areTogether }) => {
      const delivered = [...once, ...repeats];
      return (projectId: string) =>
        inBatches(
          delivered.map((fact) => resultOfFact(projectId, fact)),
          batchSize,
        ).map((batch) => (areTogether ? joined(batch) : batch));
    }),
);

function resultOfFact(
  projectId: string,
  { conversationId, ruleId, ruleRevision, snapshot, clusters }: Fact,
): CompletedMessage {
  const { scope, revision, throughMs } = snapshot;
  const summary = `${scope} ${revision} ${throughMs} ${ruleRevision ?? 1}`;
  // Severity and score depend on the snapshot, so that the worst occurrence changes, appears and disappears.
  const [place = 0, second = 0] = Buffer.from(sha256Hex(`${conversationId} ${summary}`), 'hex');
  const said = {
    severity: SEVERITIES[place % SEVERITIES.length] ?? 'info',
    diagnosticScore: (second % 4) / 4,
    summary,
  };
  const detections = clusters.map((cluster) => detectionOf(`${ruleId} ${cluster}`, { ruleId, ...said }));
  const revisions = ruleRevision === undefined ? {} : { [ruleId]: ruleRevision };
  return resultOf({ projectId, conversationId, snapshot, revisions, found: { [ruleId]: detections } });
}

/** Joins messages about the same Rule into one. */
function joined(batch: readonly CompletedMessage[]): CompletedMessage[] {
  const alike = Map.groupBy(batch, ({ data }) =>
    data.rules.map(({ ruleId, revision = '' }) => `${ruleId}@${revision}`).join(),
  );
  return [...alike.values()].map((messages) => together(messages));
}

function inBatches(results: CompletedMessage[], batchSize: number): CompletedMessage[][] {
  return Array.from({ length: Math.ceil(results.length / batchSize) }, (_, index) =>
    results.slice(index * batchSize, (index + 1) * batchSize),
  );
}

/**
 * Occurrences that results must lead to, computed from all of them at once: for each conversation and Rule those of the
 * latest whole snapshot under the latest configuration, and those of partial snapshots of the same or a later standing.
 */
export function expectedOccurrences(messages: readonly CompletedMessage[]): Map<string, Occurrence> {
  const expected = new Map<string, Occurrence>();
  const results = messages.flatMap((message) => resultMessageOf(message).results);
  const views = Map.groupBy(results.flatMap(evaluations), ({ view }) => view);
  for (const evaluated of views.values()) {
    const wholes = evaluated.filter((each) => each.scope === 'conversation').map(({ standing }) => standing);
    const latest = Math.max(0, ...wholes);
    const counted = evaluated.filter(({ standing }) => standing >= latest);
    for (const occurrence of counted.flatMap(({ occurrences }) => occurrences)) {
      const other = expected.get(occurrence.id);
      if (other === undefined || outranks(occurrence, other)) expected.set(occurrence.id, occurrence);
    }
  }
  return expected;
}

function evaluations({ projectId, conversationId, snapshot, runs }: AnalysisResult) {
  if (snapshot === undefined) return [];
  return runs.map(({ rule: { ruleId, revision: ruleRevision }, outcome }) => ({
    view: `${conversationKey(projectId, conversationId)} ${ruleId}`,
    scope: snapshot.scope,
    standing: snapshot.revision * 100 + Number(ruleRevision ?? 1),
    occurrences: (outcome.status === 'succeeded' ? outcome.detections : []).map((detection) =>
      occurrenceOf({ projectId, conversationId }, ruleId, evaluation(snapshot, ruleRevision), detection, 0),
    ),
  }));
}

function evaluation(snapshot: EvaluatedSnapshot, ruleRevision: string | undefined): Evaluation {
  return ruleRevision === undefined ? snapshot : { ...snapshot, ruleRevision: Number(ruleRevision) };
}
