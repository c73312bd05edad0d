import { expect, it } from '@jest/globals';
import type { Api } from '@clew/sdk';
import { jobsOf } from './jobs.ts';

const nameOf = (id: string) => `name of ${id}`;

it('gathers all that goes on, each with its place and how far it is', () => {
  const jobs = jobsOf({
    nameOf,
    readings: [
      {
        ...{ backfillId: 'b1', goalId: 'g1', state: 'running', maxConversations: 100, pagesDone: 2 },
        ...{ conversationsSeen: 40, conversationsPending: 10, conversationsFailed: 0 },
      } as unknown as Api.KnowledgeBackfill,
    ],
    ruleBackfills: [
      {
        ...{
          backfillId: 'b2',
          ruleId: 'r1',
          state: 'running',
          maxConversations: 50,
          conversationsSeen: 5,
          runsQueued: 5,
        },
      } as unknown as Api.RuleBackfill,
    ],
    erasures: [{ id: 'e1', conversationId: 'c1' } as unknown as Api.Erasure],
    runtime: {
      engines: [],
      services: [],
      downloads: [{ modelId: 'm', profileId: 'q4', state: 'running', bytesDone: 1, bytesTotal: 4 }],
    } as unknown as Api.RuntimeSnapshot,
  });
  expect(jobs.map(({ name, place, share }) => [name, place.kind, share])).toEqual([
    ['name of g1', 'goal', 0.75],
    ['m', 'models', 0.25],
    ['name of r1', 'rule', undefined],
    ['c1', 'privacy', undefined],
  ]);
});

it('is nothing while nothing is known', () => {
  expect(jobsOf({ nameOf })).toEqual([]);
});
