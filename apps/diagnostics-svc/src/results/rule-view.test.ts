import { describe, expect, it } from '@jest/globals';
import { occurrenceOf, type EvaluatedSnapshot, type Occurrence } from '../findings/occurrence.ts';
import { detectionOf, PROJECT_ID, snapshotOf } from '../test-support/results.ts';
import { EMPTY_VIEW, MAX_OCCURRENCES_OF_VIEW, takeSnapshot, type RuleView } from './rule-view.ts';

const CONVERSATION = { projectId: PROJECT_ID, conversationId: 'a chat' };

function snapshot(scope: EvaluatedSnapshot['scope'], revision: number): EvaluatedSnapshot {
  return snapshotOf(PROJECT_ID, CONVERSATION.conversationId, { scope, revision });
}

function detected(of: EvaluatedSnapshot, clusters: readonly string[], nowMs = 1): Occurrence[] {
  return clusters.map((cluster) => occurrenceOf(CONVERSATION, 'rule_a', of, detectionOf(cluster), nowMs));
}

function take(view: RuleView, of: EvaluatedSnapshot, clusters: readonly string[], nowMs = 1) {
  return takeSnapshot(view, of, detected(of, clusters, nowMs));
}

/** View after snapshots, one after the other. */
function viewAfter(...taken: readonly (readonly [EvaluatedSnapshot['scope'], number, ...string[]])[]): RuleView {
  return taken.reduce<RuleView>(
    (view, [scope, revision, ...clusters]) => take(view, snapshot(scope, revision), clusters)?.view ?? view,
    EMPTY_VIEW,
  );
}

function titles({ occurrences }: RuleView): string[] {
  return [...occurrences.values()].map((occurrence) => (occurrence as Occurrence).detection.title).toSorted();
}

describe('the view of a Rule on a conversation', () => {
  it('shows what the whole conversation shows at its latest revision', () => {
    expect(titles(viewAfter(['conversation', 1, 'a', 'b'], ['conversation', 2, 'b', 'c']))).toEqual(['b', 'c']);
  });

  it('keeps what a later revision showed when an earlier one comes late', () => {
    expect(titles(viewAfter(['conversation', 2, 'b'], ['conversation', 1, 'a']))).toEqual(['b']);
    expect(titles(viewAfter(['conversation', 2, 'b'], ['prefix', 1, 'a']))).toEqual(['b']);
  });

  it('is not changed by the same snapshot once more', () => {
    const view = viewAfter(['conversation', 1, 'a']);
    expect(take(view, snapshot('conversation', 1), ['a'], 2)).toBeUndefined();
  });

  it('keeps what stood on words that have expired, and drops what stood on those that are still there', () => {
    const view = viewAfter(['conversation', 1, 'a']);
    const { stepIndex } = detectionOf('a').anchor;
    const later = snapshot('conversation', 2);
    const after = (expiredThrough: number) => take(view, { ...later, expiredThrough }, ['b'])!.view;
    expect(titles(after(stepIndex))).toEqual(['a', 'b']);
    expect(titles(after(stepIndex - 1))).toEqual(['b']);
  });

  it('loses nothing to a part of the conversation, which only adds', () => {
    expect(titles(viewAfter(['conversation', 1, 'a'], ['prefix', 1], ['traces', 1, 'b']))).toEqual(['a', 'b']);
  });

  it('keeps what a part of the same revision added, and drops what a part of an earlier one did', () => {
    expect(titles(viewAfter(['prefix', 1, 'a'], ['conversation', 1, 'b']))).toEqual(['a', 'b']);
    expect(titles(viewAfter(['prefix', 1, 'a'], ['conversation', 2, 'b']))).toEqual(['b']);
  });

  it('has the evidence of the whole rather than that of a part, and of the part that goes further', () => {
    const whole = viewAfter(['conversation', 1, 'a']);
    expect(take(whole, snapshot('prefix', 1), ['a'])).toBeUndefined();
    const part = viewAfter(['prefix', 1, 'a']);
    expect(take(part, snapshot('conversation', 1), ['a'])?.renewed).toHaveLength(1);
    const further = { ...snapshot('prefix', 1), throughMs: Number.MAX_SAFE_INTEGER };
    expect(take(part, further, ['a'])?.renewed).toHaveLength(1);
  });

  it('remembers since when it has shown something, and tells when it did so last', () => {
    const [occurrence] = take(viewAfter(['conversation', 1, 'a']), snapshot('conversation', 2), ['a'], 7)!.renewed;
    expect(occurrence).toMatchObject({ firstDetectedAt: 1, lastDetectedAt: 7 });
  });

  it('counts a cluster once, also where a result names it twice', () => {
    const change = take(EMPTY_VIEW, snapshot('conversation', 1), ['a', 'a']);
    expect(change?.added).toHaveLength(1);
  });

  it('takes no more from parts than its limit, and everything from the whole', () => {
    const many = Array.from({ length: MAX_OCCURRENCES_OF_VIEW + 1 }, (_, index) => `cluster ${index}`);
    const ofParts = viewAfter(['prefix', 1, ...many]);
    expect(ofParts.occurrences.size).toBe(MAX_OCCURRENCES_OF_VIEW);
    expect(take(ofParts, snapshot('traces', 1), ['another'])).toBeUndefined();
    expect(take(ofParts, snapshot('conversation', 1), ['another'])?.added).toHaveLength(1);
  });

  it('is left as it was, and a new one is given', () => {
    const view = viewAfter(['conversation', 1, 'a']);
    take(view, snapshot('conversation', 2), ['b']);
    expect(titles(view)).toEqual(['a']);
  });
});
