import fc from 'fast-check';
import { occurrenceOf, outranks, type EvaluatedSnapshot, type Occurrence } from '../findings/occurrence.ts';
import { conversationKey, type AnalysisResult } from '../results/apply-results.ts';
import { detectionOf, resultOf, STARTED_AT } from './results.ts';

/** What a Rule found in a snapshot. */
interface Fact {
  conversationId: string;
  ruleId: string;
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
    snapshot: fc.oneof({ weight: 2, arbitrary: whole }, { weight: 1, arbitrary: part }),
    clusters: fc.subarray(['loop', 'error', 'refusal']),
  }),
  // A Rule finds the same in a snapshot whenever it looks.
  { minLength: 1, maxLength: 16, selector: ({ clusters: _, ...evaluated }) => JSON.stringify(evaluated) },
);

/** The results of a project on random snapshots, as a broker may bring them: in any order, repeated, in batches. */
export const deliveries: fc.Arbitrary<(projectId: string) => AnalysisResult[][]> = facts.chain((found) =>
  fc
    .record({
      once: fc.shuffledSubarray(found, { minLength: found.length }),
      repeats: fc.array(fc.constantFrom(...found), { maxLength: 6 }),
      batchSize: fc.integer({ min: 1, max: 6 }),
    })
    .map(({ once, repeats, batchSize }) => {
      const delivered = [...once, ...repeats];
      return (projectId: string) =>
        inBatches(
          delivered.map((fact) => resultOfFact(projectId, fact)),
          batchSize,
        );
    }),
);

function resultOfFact(projectId: string, { conversationId, ruleId, snapshot, clusters }: Fact): AnalysisResult {
  const { scope, revision, throughMs } = snapshot;
  const summary = `${scope} ${revision} ${throughMs}`;
  const detections = clusters.map((cluster) => detectionOf(`${ruleId} ${cluster}`, { ruleId, summary }));
  return resultOf({ projectId, conversationId, snapshot, found: { [ruleId]: detections } });
}

function inBatches(results: AnalysisResult[], batchSize: number): AnalysisResult[][] {
  return Array.from({ length: Math.ceil(results.length / batchSize) }, (_, index) =>
    results.slice(index * batchSize, (index + 1) * batchSize),
  );
}

/**
 * The occurrences that results must lead to, computed from all of them at once: for each conversation and Rule those of
 * the latest whole snapshot, and what parts of that revision or later ones add.
 */
export function expectedOccurrences(results: readonly AnalysisResult[]): Map<string, Occurrence> {
  const expected = new Map<string, Occurrence>();
  const views = Map.groupBy(results.flatMap(evaluations), ({ view }) => view);
  for (const evaluated of views.values()) {
    const wholeRevisions = evaluated.filter((each) => each.scope === 'conversation').map(({ revision }) => revision);
    const latest = Math.max(0, ...wholeRevisions);
    const counted = evaluated.filter(({ revision }) => revision >= latest);
    for (const occurrence of counted.flatMap(({ occurrences }) => occurrences)) {
      const other = expected.get(occurrence.id);
      if (other === undefined || outranks(occurrence, other)) expected.set(occurrence.id, occurrence);
    }
  }
  return expected;
}

function evaluations({ projectId, data: { conversationId, snapshot, runs } }: AnalysisResult) {
  return runs.map(({ ruleId, outcome }) => ({
    view: `${conversationKey(projectId, conversationId)} ${ruleId}`,
    scope: snapshot.scope,
    revision: snapshot.revision,
    occurrences: (outcome.status === 'succeeded' ? outcome.detections : []).map((detection) =>
      occurrenceOf({ projectId, conversationId }, ruleId, snapshot, detection, 0),
    ),
  }));
}
