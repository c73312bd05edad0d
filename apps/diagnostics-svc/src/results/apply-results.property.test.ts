import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { lacksPrimary, withPrimary, type FindingDescription, type FindingHead } from '../findings/finding.ts';
import type { Occurrence } from '../findings/occurrence.ts';
import { deliveries, expectedOccurrences } from '../test-support/deliveries.ts';
import { PROJECT_ID, type CompletedMessage } from '../test-support/results.ts';
import { resultMessageOf } from './analysis-result.ts';
import { applyResults } from './apply-results.ts';
import type { ResultState } from './result-state.ts';

const NOTHING: ResultState = { conversations: new Map(), findings: new Map() };
const ofProject = deliveries.map((batchesOf) => batchesOf(PROJECT_ID));
/** Number of random cases; the long test tier asks for more. */
const RUNS = { numRuns: Number(process.env['CLEW_PROPERTY_RUNS'] ?? 300) };

/** Applies a batch in memory, with the reads and writes of the store between the pure functions. */
function applyBatch(before: ResultState, batch: readonly CompletedMessage[], nowMs: number): ResultState {
  const results = batch.flatMap((message) => resultMessageOf(message).results);
  const after = applyResults(before, results, nowMs);
  const findings = new Map(after.findings);
  for (const [id, finding] of after.findings) {
    const own = occurrencesOf(after).filter(({ findingId }) => findingId === id);
    const [occurrence] = worstFirst(own);
    if (!lacksPrimary(finding) || occurrence === undefined) continue;
    findings.set(id, withPrimary(finding, { occurrence, highestScore: highestScoreOf(own) }));
  }
  return { ...after, findings };
}

function applyAll(batches: readonly CompletedMessage[][]): ResultState {
  return batches.reduce((state, batch, index) => applyBatch(state, batch, index + 1), NOTHING);
}

function worstFirst(occurrences: readonly Occurrence[]): Occurrence[] {
  return occurrences.toSorted(
    (one, other) =>
      one.severityRank - other.severityRank ||
      other.diagnosticScore - one.diagnosticScore ||
      one.firstDetectedAt - other.firstDetectedAt ||
      (one.id < other.id ? -1 : 1),
  );
}

function highestScoreOf(occurrences: readonly Occurrence[]): number {
  return Math.max(...occurrences.map(({ diagnosticScore }) => diagnosticScore));
}

function occurrencesOf({ conversations }: ResultState): Occurrence[] {
  const views = [...conversations.values()].flatMap(({ rules }) => [...rules.values()]);
  return views.flatMap(({ occurrences }) => [...occurrences.values()]) as Occurrence[];
}

function findingsOf({ findings }: ResultState): (FindingHead & FindingDescription)[] {
  return [...findings.values()].map(({ head, description }) => ({ ...head, ...description! }));
}

/** Occurrence without its detection times, which depend on the order. */
function timeless({ firstDetectedAt: _, lastDetectedAt: _last, ...occurrence }: Occurrence) {
  return occurrence;
}

describe('applying results', () => {
  it('leads, in any order, repetition and batching, to what the latest whole snapshots and later parts show', () => {
    fc.assert(
      fc.property(ofProject, (batches) => {
        const shown = occurrencesOf(applyAll(batches)).map((each) => [each.id, timeless(each)] as const);
        const expected = [...expectedOccurrences(batches.flat())].map(([id, each]) => [id, timeless(each)] as const);
        expect(new Map(shown)).toEqual(new Map(expected));
      }),
      RUNS,
    );
  });

  it('keeps each Finding true to its occurrences after every batch', () => {
    fc.assert(
      fc.property(ofProject, (batches) => {
        let state = NOTHING;
        batches.forEach((batch, index) => {
          state = applyBatch(state, batch, index + 1);
          const occurrences = occurrencesOf(state);
          findingsOf(state).forEach((finding) => expectTrueTo(finding, occurrences));
        });
      }),
      RUNS,
    );
  });

  it('counts the Findings of each conversation, and gives every change of the count a greater version', () => {
    fc.assert(
      fc.property(ofProject, (batches) => {
        let state = NOTHING;
        batches.forEach((batch, index) => {
          const before = state;
          state = applyBatch(state, batch, index + 1);
          for (const [key, conversation] of state.conversations) {
            const shown = occurrencesOf(state).filter((each) => each.conversationId === conversation.conversationId);
            expect(conversation.findingCount).toBe(new Set(shown.map(({ findingId }) => findingId)).size);
            const earlier = before.conversations.get(key);
            if (earlier !== undefined && earlier.findingCount !== conversation.findingCount) {
              expect(conversation.version).toBeGreaterThan(earlier.version);
            }
          }
        });
      }),
      RUNS,
    );
  });

  it('changes nothing at all when everything comes once more, in the same order', () => {
    fc.assert(
      fc.property(ofProject, (batches) => {
        const once = applyAll(batches);
        const twice = batches.reduce((state, batch, index) => applyBatch(state, batch, 1_000 + index), once);
        expect(twice).toEqual(once);
      }),
      RUNS,
    );
  });

  it('gives every batch its result without touching what was there before', () => {
    fc.assert(
      fc.property(ofProject, (batches) => {
        const before = applyAll(batches.slice(1));
        const copy = structuredClone(before);
        applyBatch(before, batches[0]!, 1_000);
        expect(before).toEqual(copy);
      }),
      { numRuns: 100 },
    );
  });
});

function expectTrueTo(finding: FindingHead & FindingDescription, all: readonly Occurrence[]): void {
  const own = all.filter(({ findingId }) => findingId === finding.id);
  const { occurrenceCount, listed, primary, summary, anchor, window, firstDetectedAt } = finding;
  const { severity, diagnosticScore, evidenceSnapshotRevision, evidenceThroughMs } = finding;
  expect({ occurrenceCount, listed }).toEqual({ occurrenceCount: own.length, listed: own.length > 0 });
  const [worst] = worstFirst(own);
  if (worst === undefined) {
    expect(primary).toBeNull();
    return;
  }
  const { detection, conversationId, snapshotId, throughMs } = worst;
  expect(primary?.id).toBe(worst.id);
  expect(firstDetectedAt).toBeLessThanOrEqual(Math.min(...own.map((each) => each.firstDetectedAt)));
  expect({ severity, diagnosticScore, summary, anchor, evidenceSnapshotRevision, evidenceThroughMs }).toEqual({
    severity: detection.severity,
    diagnosticScore: highestScoreOf(own),
    summary: detection.summary,
    anchor: { ...detection.anchor, conversationId },
    evidenceSnapshotRevision: snapshotId,
    evidenceThroughMs: throughMs,
  });
  const span = (startMs: number, endMs: number) => ({ startMs, endMs });
  expect(new Map(window.map((each) => [each.conversationId, span(each.startMs, each.endMs)]))).toEqual(
    new Map(own.map((each) => [each.conversationId, span(each.conversationStartedAt, each.throughMs)])),
  );
}
