import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startLoopbackGitLab, type LoopbackGitLab } from '@clew/testing/issue-trackers';
import { findingFacts } from '../test-support/finding-facts.ts';
import { call, DRAFT, MARKER, trackerAt, valueOf } from '../test-support/trackers.ts';
import { issueDraft } from '../body/issue-body.ts';
import type { IssueTracker } from '../tracker/issue-tracker.ts';
import { gitLabState } from './gitlab-issue.ts';

let host: LoopbackGitLab;
let tracker: IssueTracker;

beforeEach(async () => {
  host = await startLoopbackGitLab();
  tracker = trackerAt(host);
});
afterEach(() => host.stop());

describe('an issue of GitLab', () => {
  it('is named by the id of its project, whichever way the project was named', async () => {
    const byPath = valueOf(await tracker.create(DRAFT, MARKER, call()));
    const byId = valueOf(
      await trackerAt(host, { destination: { projectId: '42' } }).create(DRAFT, `${MARKER}2`, call()),
    );
    expect([byPath, byId].map(({ externalId, key }) => [externalId, key])).toEqual([
      ['42#1', 'acme/web/shop#1'],
      ['42#2', 'acme/web/shop#2'],
    ]);
    expect(valueOf(await tracker.read('acme/web/shop#1', call()))).toMatchObject({ issue: { externalId: '42#1' } });
  });

  it('stays open, although words of the conversation would close it', async () => {
    const text = '\n/close\n````\n```\n/close\n````\n>>>\n/duplicate #1\n>>>';
    const { evidence } = findingFacts();
    const location = { ...evidence[0]!.location, quotes: [{ quote: text }] };
    const facts = findingFacts({ title: text, summary: text, evidence: [{ ...evidence[0]!, title: text, location }] });
    valueOf(await tracker.create(issueDraft(facts), MARKER, call()));
    expect(host.issues[0]?.state).toBe('open');
    host.add('By hand', 'Done.\n/close');
    valueOf(
      await tracker.comment('42#1', { body: issueDraft(facts).body, marker: `${MARKER}-c`, mayExist: false }, call()),
    );
    expect(host.issues[0]?.state).toBe('open');
  });

  it.each([
    [{ state: 'opened' }, { kind: 'open' }],
    [{ state: 'closed' }, { kind: 'done', reason: 'completed' }],
    [
      { state: 'closed', _links: { closed_as_duplicate_of: null } },
      { kind: 'done', reason: 'completed' },
    ],
    [
      { state: 'closed', _links: { closed_as_duplicate_of: 'https://x' } },
      { kind: 'done', reason: 'duplicate' },
    ],
  ] as const)('%j', (given, state) => expect(gitLabState(given)).toEqual(state));
});

describe('a project of GitLab without issues', () => {
  it('is refused when the connection is tested', async () => {
    host.settings.issuesDisabled = true;
    const message = 'Issues are disabled in this project';
    expect(await tracker.test(call())).toEqual({ kind: 'refused', reason: 'destination', message });
  });
});
