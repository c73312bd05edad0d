import { expect, it } from '@jest/globals';
import type { Api } from '@clew/sdk';
import { editOf, editOver, revisionChanges } from './revisions.ts';

const item = (rest: Partial<Api.KnowledgeItem> = {}): Api.KnowledgeItem => ({
  ...{
    id: 'kitm_1',
    projectId: 'prj_1',
    goalId: 'goal_1',
    status: 'active',
    title: 'Delivery',
    content: 'In 14 days.',
  },
  ...{ kind: 'fact', confidence: 0.8, subject: { kind: 'project', name: 'project', userId: null } },
  ...{
    sourceTraceId: '',
    sourceConversationId: '',
    evidence: [],
    authority: 'user_stated',
    saidAt: 1,
    validFrom: null,
  },
  ...{ validUntil: null, heldFrom: 1, heldUntil: null, reviewedAt: null, reviewedBy: null, supersedes: null },
  ...{ supersededBy: null, possiblyOutdatedBy: null, revision: 1, createdAt: 1, updatedAt: 1 },
  ...rest,
});

it('names the fields that changed, as people read them', () => {
  const now = item({ content: 'In 20 days.', status: 'archived', supersededBy: 'kitm_2', validUntil: 86_400_000 });
  expect(revisionChanges(item(), now)).toEqual([
    { field: 'content', from: 'In 14 days.', to: 'In 20 days.' },
    { field: 'status', from: 'active', to: 'replaced' },
    { field: 'holds until', from: 'not said', to: '1970-01-02' },
  ]);
});

it('tells of no change where an item was only reviewed', () => {
  expect(revisionChanges(item(), item({ reviewedAt: 5, reviewedBy: 'usr_1', revision: 2 }))).toEqual([]);
});

it('sends of an edit only what it changes', () => {
  const base = { title: 'Delivery', content: 'In 14 days.' };
  expect(editOf(base, { title: ' Delivery ', content: 'In 15 days. ' })).toEqual({ content: 'In 15 days.' });
  expect(editOf(base, base)).toEqual({});
});

it('keeps what somebody else has written meanwhile, but for what the edit changes', () => {
  const base = { title: 'Delivery', content: 'In 14 days.' };
  const theirs = { title: 'Parcels', content: 'In 20 days.' };
  expect(editOver(base, { ...base, title: 'Post' }, theirs)).toEqual({ title: 'Post', content: 'In 20 days.' });
  expect(editOver(base, base, theirs)).toEqual(theirs);
});
