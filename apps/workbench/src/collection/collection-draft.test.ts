import { describe, expect, it } from '@jest/globals';
import { changeOf, changesOfOthers, draftOf, draftProblems } from './collection-draft.ts';

const OFF = {
  collectionEnabled: true,
  collectionPolicy: null,
  collectedRedaction: 'on' as const,
  dailySyntheses: 100,
  collectionCatchUp: null,
};
const TEACHES = {
  ...OFF,
  collectionPolicy: {
    objective: 'teach_project_knowledge' as const,
    revision: '1',
    model: 'service/auto',
    filters: { knowledgeGoalIds: ['g1'] },
  },
};

describe('a draft of a collection', () => {
  it('changes nothing as long as nothing was changed', () => {
    expect(changeOf(draftOf(OFF), OFF)).toBeUndefined();
    expect(changeOf(draftOf(TEACHES), TEACHES)).toBeUndefined();
  });

  it('changes what was changed, and switches on with the first objective', () => {
    const draft = { ...draftOf(OFF), objective: 'correct_failed_conversations', isEnabled: true } as const;
    expect(changeOf({ ...draft, model: ' openai/gpt ' }, OFF)).toEqual({
      collectionObjective: 'correct_failed_conversations',
      collectionModel: 'openai/gpt',
      collectionEnabled: true,
    });
  });

  it('takes the goals away with the objective that they narrow', () => {
    const draft = { ...draftOf(TEACHES), objective: 'preserve_successful_behavior' } as const;
    expect(changeOf(draft, TEACHES)).toEqual({
      collectionObjective: 'preserve_successful_behavior',
      collectionFilters: null,
    });
    expect(changeOf({ ...draftOf(TEACHES), goalIds: [] }, TEACHES)).toEqual({ collectionFilters: null });
  });

  it('sends numbers, and no catch-up where it was switched off', () => {
    const draft = { ...draftOf(OFF), catchesUp: true, days: '3', conversations: '50', dailySyntheses: '0' };
    expect(changeOf(draft, OFF)).toEqual({
      dailySyntheses: 0,
      collectionCatchUp: { days: 3, conversations: 50 },
    });
    expect(changeOf({ ...draftOf(OFF), days: '3' }, OFF)).toBeUndefined();
  });

  it('names the numbers that the API would refuse', () => {
    const draft = { ...draftOf(OFF), catchesUp: true, days: '91', conversations: 'x', dailySyntheses: '-1' };
    expect([...draftProblems(draft).keys()]).toEqual(['dailySyntheses', 'days', 'conversations']);
    expect(draftProblems(draftOf(OFF)).size).toBe(0);
  });
});

it('tells what somebody else has changed', () => {
  expect(changesOfOthers(TEACHES, TEACHES)).toEqual([]);
  expect(changesOfOthers(OFF, { ...TEACHES, dailySyntheses: 5 })).toEqual([
    'Collection was switched on',
    'It collects “Teach what the project knows”, no longer nothing',
    'The model is service/auto, no longer the default',
    'Other Learning Goals were chosen',
    'Models may write 5 responses a day, no longer 100',
  ]);
});
