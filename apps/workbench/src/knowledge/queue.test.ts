import { describe, expect, it } from '@jest/globals';
import type { Api } from '@clew/sdk';
import {
  acceptChanges,
  changedItem,
  inParts,
  nextOpen,
  queueProgress,
  summaryOf,
  withDecision,
  type Decision,
} from './queue.ts';

const decided = (...ids: string[]) => new Map<string, Decision>(ids.map((id) => [id, 'accepted']));
const IDS = ['a', 'b', 'c', 'd'];

describe('the item after a decided one', () => {
  it('is the next that is open', () => {
    expect(nextOpen(IDS, 'a', decided('a', 'b'))).toBe('c');
  });

  it('is the first that was left open when the end is reached', () => {
    expect(nextOpen(IDS, 'd', decided('b', 'c', 'd'))).toBe('a');
  });

  it('is the next one, or stays, when all are decided', () => {
    expect(nextOpen(IDS, 'b', decided(...IDS))).toBe('c');
    expect(nextOpen(IDS, 'd', decided(...IDS))).toBe('d');
    expect(nextOpen([], null, decided())).toBeNull();
  });
});

describe('progress', () => {
  it('counts what was decided, not what was skipped', () => {
    const decisions = new Map<string, Decision>([
      ['a', 'accepted'],
      ['b', 'skipped'],
    ]);
    expect(queueProgress(IDS, 'c', 210, decisions)).toEqual({ position: 3, total: 210, decided: 1, share: 1 / 210 });
  });

  it('has at least the items that are shown', () => {
    expect(queueProgress(IDS, null, undefined, decided())).toEqual({ position: 0, total: 4, decided: 0, share: 0 });
    expect(queueProgress([], null, 0, decided()).share).toBe(0);
  });
});

const item = (rest: Partial<Api.KnowledgeItem>): Api.KnowledgeItem =>
  ({
    id: 'a',
    status: 'active',
    kind: 'fact',
    possiblyOutdatedBy: 'z',
    reviewedAt: null,
    ...rest,
  }) as Api.KnowledgeItem;

it('counts every change as a review', () => {
  expect(changedItem(item({}), { kind: 'policy' }, 'usr_1', 5)).toMatchObject({
    ...{ status: 'active', kind: 'policy', possiblyOutdatedBy: null, reviewedAt: 5, reviewedBy: 'usr_1' },
  });
});

it('accepts items as what they are', () => {
  const [active, archived] = [item({}), item({ id: 'b', status: 'archived' })];
  expect(acceptChanges([active, archived])).toEqual([
    { items: [active], change: { status: 'active' } },
    { items: [archived], change: { status: 'archived' } },
  ]);
  expect(acceptChanges([])).toEqual([]);
});

it('cuts many items into parts that the API takes', () => {
  expect(inParts(Array.from({ length: 250 }, (_, at) => at)).map(({ length }) => length)).toEqual([100, 100, 50]);
});

it('sums up what became of many', () => {
  const outcomes = [
    { itemId: 'a', outcome: 'updated' },
    { itemId: 'b', outcome: 'unchanged' },
    { itemId: 'c', outcome: 'refused' },
  ] as const;
  expect(summaryOf(outcomes, 'archived')).toBe('2 archived, 1 refused');
  expect(summaryOf([], 'archived')).toBe('Nothing changed');
});

it('takes a decision, and takes it back', () => {
  const taken = withDecision(new Map(), ['a', 'b'], 'archived');
  expect([...taken]).toEqual([
    ['a', 'archived'],
    ['b', 'archived'],
  ]);
  expect([...withDecision(taken, ['a'], undefined)]).toEqual([['b', 'archived']]);
});
