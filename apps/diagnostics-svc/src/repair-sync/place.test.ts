import { describe, expect, it } from '@jest/globals';
import { placeOf, walkIdOf, type PlacedIssue } from './place.ts';

const TEAM = { teamId: '9cfb482a-81e3-4154-b5b9-2c805e70a02d' };
const issueOf = (provider: PlacedIssue['provider'], issue: Partial<PlacedIssue>): PlacedIssue => ({
  ...{ provider, externalId: null, externalKey: null, destination: null },
  ...issue,
});

describe('the place of an issue', () => {
  it.each([
    [issueOf('github', { externalId: 'acme/shop.js#12' }), { owner: 'acme', repo: 'shop.js' }],
    [
      issueOf('github', { externalId: 'acme/other#3', destination: { owner: 'acme', repo: 'shop' } }),
      { owner: 'acme', repo: 'other' },
    ],
    [issueOf('gitlab', { externalId: '42#7', destination: { projectId: 'acme/shop' } }), { projectId: '42' }],
    [issueOf('jira', { externalId: '10001', externalKey: 'SHOP_2-12' }), { projectKey: 'SHOP_2' }],
    [issueOf('linear', { externalId: 'a', externalKey: 'ENG-1', destination: TEAM }), TEAM],
  ])('comes from the issue, wherever it was to be made: %#', (issue, place) => expect(placeOf(issue)).toEqual(place));

  it.each([
    [issueOf('github', { externalId: 'acme#12' })],
    [issueOf('github', { externalId: 'acme/..#12' })],
    [issueOf('jira', { externalId: '10001', externalKey: 'shop" OR 1-2' })],
    [issueOf('linear', { externalId: 'a', externalKey: 'ENG-1' })],
  ])('is not known where nothing names one: %#', (issue) => expect(placeOf(issue)).toBeNull());

  it('has one walk with each connector', () => {
    expect(walkIdOf('con_1', TEAM)).toBe(walkIdOf('con_1', { ...TEAM }));
    expect(walkIdOf('con_2', TEAM)).not.toBe(walkIdOf('con_1', TEAM));
  });
});
