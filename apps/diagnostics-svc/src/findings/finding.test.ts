import { describe, expect, it } from '@jest/globals';
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
  severity: 'high' | 'low' = 'high',
): Occurrence {
  const conversation = { projectId: PROJECT_ID, conversationId };
  const detection = detectionOf('loop', { severity, summary: `seen in ${conversationId}` });
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

  it('is described by the conversation that showed it first, whatever later ones say', () => {
    const { head, description } = findingOf(occurrence('a', 1), occurrence('b', 2, {}, 'low'));
    expect(description).toMatchObject({ severity: 'high', anchor: { conversationId: 'a' }, summary: 'seen in a' });
    expect(head).toMatchObject({ occurrenceCount: 2, firstDetectedAt: 1, lastDetectedAt: 2 });
  });

  it('is described anew by a better snapshot of that conversation, and of no other', () => {
    const finding = findingOf(occurrence('a', 1), occurrence('b', 2));
    const again = withRenewedOccurrence(finding, occurrence('a', 3, { revision: 2 }, 'low'));
    expect(again.description).toMatchObject({ severity: 'low' });
    expect(again.head).toMatchObject({ occurrenceCount: 2, lastDetectedAt: 3 });
    const other = withRenewedOccurrence(finding, occurrence('b', 3, { revision: 2 }, 'low'));
    expect(other.description).toMatchObject({ severity: 'high' });
  });

  it('leaves the lists with its last conversation, and comes back with its history', () => {
    const first = occurrence('a', 1);
    const gone = withoutOccurrence(findingOf(first), first, 2);
    expect(gone.head).toMatchObject({ listed: false, occurrenceCount: 0, primaryOccurrenceId: null, updatedAt: 2 });
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

  it('waits for another primary occurrence when the first conversation stops showing it', () => {
    const [first, second] = [occurrence('a', 1), occurrence('b', 2)];
    const orphan = withoutOccurrence(findingOf(first, second), first, 3);
    expect(lacksPrimary(orphan)).toBe(true);
    // One that comes meanwhile is not the first detected.
    expect(lacksPrimary(withOccurrence(orphan, occurrence('c', 3)))).toBe(true);
    const next = withPrimary(orphan, second);
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
    const handedOver = withPrimary(withoutOccurrence(renewed, occurrences[0]!, 301), occurrences[1]!);
    expect(conversationsOf(handedOver)).toEqual(expect.arrayContaining(['1', '50', '199']));
  });

  it('never moves its last detection back', () => {
    const { head } = withRenewedOccurrence(findingOf(occurrence('a', 9)), occurrence('a', 4, { revision: 2 }));
    expect(head.lastDetectedAt).toBe(9);
  });
});
