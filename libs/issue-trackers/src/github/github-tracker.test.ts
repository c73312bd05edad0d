import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startLoopbackGitHub, type LoopbackGitHub } from '@clew/testing/issue-trackers';
import { call, DRAFT, MARKER, trackerAt, valueOf } from '../test-support/trackers.ts';
import type { IssueTracker } from '../tracker/issue-tracker.ts';
import { gitHubApiUrl } from './github-api.ts';
import { gitHubState } from './github-issue.ts';

let host: LoopbackGitHub;
let tracker: IssueTracker;

beforeEach(async () => {
  host = await startLoopbackGitHub();
  tracker = trackerAt(host);
});
afterEach(() => host.stop());

describe('the API of a GitHub server', () => {
  it.each([
    ['https://github.com', 'https://api.github.com'],
    ['https://www.github.com', 'https://api.github.com'],
    ['https://acme.ghe.com', 'https://api.acme.ghe.com'],
    ['https://github.acme.example', 'https://github.acme.example/api/v3'],
    ['https://acme.example/github', 'https://acme.example/github/api/v3'],
  ])('of %s is %s', (baseUrl, url) => expect(gitHubApiUrl(baseUrl)).toBe(url));

  it('is asked in its version, with the token and a name', async () => {
    await tracker.create(DRAFT, MARKER, call());
    expect(host.requests[0]).toMatchObject({
      method: 'POST',
      path: '/repos/acme/shop/issues',
      headers: {
        authorization: `Bearer ${host.credentials['token']}`,
        accept: 'application/vnd.github+json',
        'x-github-api-version': '2022-11-28',
        'user-agent': 'clew',
      },
    });
  });
});

describe('an issue of GitHub', () => {
  it.each([
    [{ state: 'open', state_reason: 'reopened' }, { kind: 'open' }],
    [
      { state: 'closed', state_reason: null },
      { kind: 'done', reason: 'completed' },
    ],
    [
      { state: 'closed', state_reason: 'a reason to come' },
      { kind: 'done', reason: 'completed' },
    ],
    [
      { state: 'closed', state_reason: 'not_planned' },
      { kind: 'done', reason: 'not_planned' },
    ],
    [
      { state: 'closed', state_reason: 'duplicate' },
      { kind: 'done', reason: 'duplicate' },
    ],
  ] as const)('%j', (given, state) => expect(gitHubState(given)).toEqual(state));

  it('is closed with the reason, and reopened as such', async () => {
    const { externalId } = valueOf(await tracker.create(DRAFT, MARKER, call()));
    for (const target of ['not_planned', 'open', 'completed'] as const)
      await tracker.setState(externalId, target, call());
    const sent = host.requests.filter(({ method }) => method === 'PATCH').map(({ json }) => json);
    expect(sent).toEqual([
      { state: 'closed', state_reason: 'not_planned' },
      { state: 'open', state_reason: 'reopened' },
      { state: 'closed', state_reason: 'completed' },
    ]);
  });

  it('has its new place for an id once it was transferred, which stays', async () => {
    const { externalId } = valueOf(await tracker.create(DRAFT, MARKER, call()));
    host.move(host.issues[0]!);
    const moved = { kind: 'present', issue: { externalId: 'acme/elsewhere#501', key: 'acme/elsewhere#501' } };
    expect(valueOf(await tracker.read(externalId, call()))).toMatchObject(moved);
    expect(valueOf(await tracker.read('acme/elsewhere#501', call()))).toMatchObject(moved);
  });

  it('is no pull request, though pull requests are listed with it', async () => {
    host.addPullRequest('A change');
    await tracker.create(DRAFT, MARKER, call());
    const changed = valueOf(await tracker.listChanged({ sinceMs: 0, cursor: null }, call()));
    expect(changed.issues).toMatchObject([{ issue: { key: 'acme/shop#2' } }]);
    expect(await tracker.read('acme/shop#1', call())).toMatchObject({ kind: 'refused', reason: 'content' });
  });
});

describe('a repository that was renamed', () => {
  it('still shows its issues, and asks for its new name where one is created', async () => {
    const { externalId } = valueOf(await tracker.create(DRAFT, MARKER, call()));
    host.settings.isRenamed = true;
    expect(valueOf(await tracker.read(externalId, call()))).toMatchObject({ kind: 'present' });
    const created = await tracker.create(DRAFT, `${MARKER}2`, call());
    expect(created).toEqual({ kind: 'refused', reason: 'destination', message: expect.stringContaining('renamed') });
    expect(host.issues).toHaveLength(1);
  });
});

describe('a refusal of GitHub', () => {
  it('says what the provider says', async () => {
    host.settings.issuesDisabled = true;
    expect(await tracker.create(DRAFT, MARKER, call())).toMatchObject({
      ...{ kind: 'refused', reason: 'destination', message: 'Issues are disabled in this repository' },
    });
    expect(await tracker.test(call())).toMatchObject({ kind: 'refused', reason: 'destination' });
  });

  it('of an account is no refusal of the token of an app, which has none', async () => {
    host.faults.next({ kind: 'fail', status: 403, when: 'before' }, { on: 'test' });
    expect(valueOf(await tracker.test(call()))).toMatchObject({ account: null, destination: { name: 'acme/shop' } });
  });
});
