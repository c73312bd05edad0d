import { describe, expect, it } from '@jest/globals';
import type { Severity } from '@clew/contracts';
import { detectionOf, PROJECT_ID, snapshotOf } from '../test-support/results.ts';
import {
  lacksPrimary,
  MAX_WINDOW_CONVERSATIONS,
  withOccurrence,
  withoutOccurrence,
  withPrimary,
  withRenewedOccurrence,
  type ChangedFinding,
} from './finding.ts';
import { occurrenceOf, type EvaluatedSnapshot, type Occurrence } from './occurrence.ts';

function occurrence(
  conversationId: string,
  detectedAt: number,
  snapshot: Partial<EvaluatedSnapshot> = {},
  severity: Severity = 'high',
  diagnosticScore = 0.8,
): Occurrence {
  const conversation = { projectId: PROJECT_ID, conversationId };
  const detection = detectionOf('loop', { severity, diagnosticScore, summary: `seen in ${conversationId}` });
  return occurrenceOf(conversation, 'rule_a', snapshotOf(PROJECT_ID, conversationId, snapshot), detection, detectedAt);
}

function findingOf(...occurrences: readonly [Occurrence, ...Occurrence[]]): ChangedFinding {
  const [first, ...others] = occurrences;
  return others.reduce<ChangedFinding>(withOccurrence, withOccurrence(undefined, first));
}

function conversationsOf({ head }: ChangedFinding): string[] {
  return head.window.map(({ conversationId }) => conversationId);
}

describe('a Finding', () => {
  it('is unreviewed, unresolved and listed when it is first detected', () => {
    const { head } = findingOf(occurrence('a', 5));
    expect(head).toMatchObject({ reviewStatus: 'unreviewed', resolutionStatus: 'unresolved', listed: true });
    expect(head).toMatchObject({ firstDetectedAt: 5, lastDetectedAt: 5, createdAt: 5, occurrenceCount: 1 });
  });

  it('is described by the first of the worst conversations that show it', () => {
    const { head, description } = findingOf(
      occurrence('a', 1, {}, 'low'),
      occurrence('b', 2),
      occurrence('c', 3),
      occurrence('d', 4, {}, 'medium'),
    );
    expect(description).toMatchObject({ anchor: { conversationId: 'b' }, summary: 'seen in b' });
    expect(head).toMatchObject({ severity: 'high', occurrenceCount: 4, firstDetectedAt: 1, lastDetectedAt: 4 });
  });

  it('has the highest score of all, also where the worst conversation has a lower one', () => {
    const { head, description } = findingOf(occurrence('a', 1, {}, 'low', 0.9), occurrence('b', 2, {}, 'high', 0.4));
    expect(head).toMatchObject({ severity: 'high', diagnosticScore: 0.9 });
    expect(description).toMatchObject({ summary: 'seen in b' });
  });

  it('of equally bad conversations takes the clearest', () => {
    const { description } = findingOf(occurrence('a', 1, {}, 'high', 0.6), occurrence('b', 2, {}, 'high', 0.7));
    expect(description).toMatchObject({ summary: 'seen in b' });
  });

  it('is described anew by a better snapshot of that conversation, and of no other', () => {
    const finding = findingOf(occurrence('a', 1), occurrence('b', 2));
    const again = withRenewedOccurrence(finding, occurrence('a', 1, { revision: 2, throughMs: 9 }));
    expect(again.description).toMatchObject({ evidenceThroughMs: 9 });
    expect(again.head).toMatchObject({ occurrenceCount: 2 });
    const other = withRenewedOccurrence(finding, occurrence('b', 2, { revision: 2, throughMs: 9 }));
    expect(other.description).toMatchObject({ anchor: { conversationId: 'a' } });
  });

  it('looks for another description when what it says was taken back', () => {
    const finding = findingOf(occurrence('a', 1), occurrence('b', 2, {}, 'low', 0.9));
    const milder = withRenewedOccurrence(finding, occurrence('a', 1, { revision: 2 }, 'low'));
    expect(lacksPrimary(milder)).toBe(true);
    const lower = withRenewedOccurrence(finding, occurrence('b', 2, { revision: 2 }, 'low', 0.1));
    expect(lacksPrimary(lower)).toBe(true);
    expect(lacksPrimary(withoutOccurrence(finding, occurrence('b', 2, {}, 'low', 0.9), 3))).toBe(true);
    expect(
      lacksPrimary(withoutOccurrence(findingOf(occurrence('a', 1), occurrence('b', 2)), occurrence('b', 2), 3)),
    ).toBe(false);
  });

  it('regresses once, by a conversation that started after it was resolved, and never by late data', () => {
    const { head, description } = findingOf(occurrence('a', 1));
    const resolved = { head: { ...head, resolutionStatus: 'resolved' as const, resolvedAt: 100 }, description };
    const late = withOccurrence(resolved, occurrence('late', 200, { startedAt: 100 }));
    expect(late.head).toMatchObject({ resolutionStatus: 'resolved', revision: 1 });
    const regressed = withOccurrence(late, occurrence('new', 300, { startedAt: 101 }));
    expect(regressed.head).toMatchObject({ resolutionStatus: 'regressed', regressedAt: 300, revision: 2 });
    const again = withOccurrence(regressed, occurrence('newer', 400, { startedAt: 150 }));
    expect(again.head).toMatchObject({ resolutionStatus: 'regressed', regressedAt: 300, revision: 2 });
  });

  it('counts further conversations towards the end of a snooze, and no repeats', () => {
    const { head, description } = findingOf(occurrence('a', 1));
    const snooze = { since: 1, until: null, furtherOccurrences: 2 };
    const snoozed = { head: { ...head, snooze }, description };
    const repeated = withRenewedOccurrence(snoozed, occurrence('a', 1, { revision: 2 }));
    expect(repeated.head.snooze).toEqual(snooze);
    const further = withOccurrence(repeated, occurrence('b', 2));
    expect(further.head.snooze).toMatchObject({ furtherOccurrences: 1 });
    expect(withOccurrence(further, occurrence('c', 3)).head.snooze).toBeNull();
  });

  it('leaves the lists with its last conversation, and comes back with its history', () => {
    const first = occurrence('a', 1);
    const gone = withoutOccurrence(findingOf(first), first, 2);
    expect(gone.head).toMatchObject({ listed: false, occurrenceCount: 0, primary: null, updatedAt: 2 });
    expect(lacksPrimary(gone)).toBe(false);
    const back = withOccurrence(gone, occurrence('b', 3));
    expect(back.head).toMatchObject({ listed: true, occurrenceCount: 1, firstDetectedAt: 1, lastDetectedAt: 3 });
    expect(back.description).toMatchObject({ anchor: { conversationId: 'b' } });
    expect(conversationsOf(back)).toEqual(['b']);
  });

  it.each(['confirmed', 'dismissed'] as const)('stays listed without conversations once it is %s', (reviewStatus) => {
    const first = occurrence('a', 1);
    const { head } = findingOf(first);
    const gone = withoutOccurrence({ head: { ...head, reviewStatus } }, first, 2);
    expect(gone.head).toMatchObject({ listed: true, occurrenceCount: 0, reviewStatus });
    expect(conversationsOf(gone)).toEqual(['a']);
  });

  it('waits for another primary occurrence when that conversation stops showing it', () => {
    const [first, second] = [occurrence('a', 1), occurrence('b', 2)];
    const orphan = withoutOccurrence(findingOf(first, second), first, 3);
    expect(lacksPrimary(orphan)).toBe(true);
    // An occurrence that arrives meanwhile may not be the worst.
    expect(lacksPrimary(withOccurrence(orphan, occurrence('c', 3)))).toBe(true);
    const next = withPrimary(orphan, { occurrence: second, highestScore: 0.8 });
    expect(next.description).toMatchObject({ anchor: { conversationId: 'b' } });
    expect(conversationsOf(next)).toEqual(['b']);
  });

  it('names at most so many conversations, always its primary one and the latest', () => {
    const occurrences = Array.from({ length: 2 * MAX_WINDOW_CONVERSATIONS }, (_, index) =>
      occurrence(`${index}`, index),
    );
    const finding = findingOf(...(occurrences as [Occurrence, ...Occurrence[]]));
    const shown = conversationsOf(finding);
    expect(shown).toHaveLength(MAX_WINDOW_CONVERSATIONS);
    expect(new Set(shown).size).toBe(MAX_WINDOW_CONVERSATIONS);
    expect([shown[0], shown[1], shown.at(-1)]).toEqual(['0', '101', '199']);
    const renewed = withRenewedOccurrence(finding, occurrence('50', 300, { revision: 2 }));
    expect(conversationsOf(renewed)).toHaveLength(MAX_WINDOW_CONVERSATIONS);
    expect(conversationsOf(renewed).at(-1)).toBe('50');
    const handedOver = withPrimary(withoutOccurrence(renewed, occurrences[0]!, 301), {
      occurrence: occurrences[1]!,
      highestScore: 0.8,
    });
    expect(conversationsOf(handedOver)).toEqual(expect.arrayContaining(['1', '50', '199']));
  });

  it('never moves its last detection back', () => {
    const { head } = withRenewedOccurrence(findingOf(occurrence('a', 9)), occurrence('a', 4, { revision: 2 }));
    expect(head.lastDetectedAt).toBe(9);
  });
});
