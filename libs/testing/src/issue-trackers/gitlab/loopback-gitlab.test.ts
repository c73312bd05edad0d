import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Gitlab } from '@gitbeaker/rest';
import { startLoopbackGitLab, type LoopbackGitLab } from './loopback-gitlab.ts';
import { quickActionsIn } from './quick-actions.ts';

const PROJECT = 'acme/web/shop';

let host: LoopbackGitLab;
let nowMs = 1_764_500_000_000;
let api: InstanceType<typeof Gitlab>;

beforeAll(async () => {
  host = await startLoopbackGitLab({ now: () => nowMs });
  api = new Gitlab({ host: host.baseUrl, token: host.credentials['token'] ?? '' });
});
afterAll(() => host.stop());

const statusOf = async (work: Promise<unknown>) => {
  const error = (await work.catch((failure: unknown) => failure)) as { cause?: { response?: { status: number } } };
  return error.cause?.response?.status;
};

describe('the client of GitLab', () => {
  it('creates, reads, changes, comments and lists issues', async () => {
    const created = await api.Issues.create(PROJECT, 'One', { description: 'Text', labels: 'a,b' });
    expect(created).toMatchObject({ iid: 1, project_id: 42, state: 'opened', labels: ['a', 'b'], moved_to_id: null });
    nowMs += 1_000;
    const closed = await api.Issues.edit(PROJECT, 1, { stateEvent: 'close' });
    expect(closed).toMatchObject({ state: 'closed', closed_at: new Date(nowMs).toISOString() });
    await api.IssueNotes.create(PROJECT, 1, 'A note');
    expect(await api.IssueNotes.all(PROJECT, 1)).toMatchObject([{ body: 'A note', system: false }]);
    expect(await api.Issues.all({ projectId: PROJECT, state: 'opened' })).toEqual([]);
    expect(await api.Issues.all({ projectId: 42, state: 'closed' })).toHaveLength(1);
    expect(await api.Projects.show(PROJECT)).toMatchObject({ id: 42, path_with_namespace: PROJECT });
  });

  it('walks through pages', async () => {
    for (let index = 0; index < 45; index += 1) host.add(`Issue ${index}`);
    expect(await api.Issues.all({ projectId: PROJECT, perPage: 20, state: 'opened' })).toHaveLength(45);
  });

  it('searches descriptions, in an index that can lag', async () => {
    const search = async () =>
      (await api.Issues.all({ projectId: PROJECT, search: 'wi_marker', in: 'description' })).length;
    host.settings.searchLagMs = 60_000;
    host.add('Marked', 'With wi_marker');
    expect(await search()).toBe(0);
    nowMs += 60_000;
    expect(await search()).toBe(1);
  });

  it('is refused as by GitLab', async () => {
    expect(await statusOf(new Gitlab({ host: host.baseUrl, token: 'x' }).Users.showCurrentUser())).toBe(401);
    expect(await statusOf(api.Projects.show('acme/no'))).toBe(404);
    expect(await statusOf(api.Issues.create(PROJECT, 'x'.repeat(256)))).toBe(400);
    const deleted = host.add('Deleted');
    host.remove(deleted);
    expect(await statusOf(api.Issues.show(deleted.number, { projectId: PROJECT }))).toBe(404);
  });

  it('repeats a creation that may have had its effect: each 502 makes one more issue', async () => {
    const before = host.issues.length;
    host.faults.next({ kind: 'fail', status: 502, when: 'after' }, { on: 'create', times: 2 });
    await api.Issues.create(PROJECT, 'Once');
    expect(host.issues.length - before).toBe(3);
  });
});

describe('quick actions', () => {
  it.each([
    ['Done.\n/close', ['close']],
    ['/duplicate #1', ['duplicate']],
    ['  /close', []],
    ['> /close', []],
    ['`/close`', []],
    ['```\n/close\n```', []],
    ['````\n```\n/close\n````', ['close']],
    ['not/close', []],
  ])('%j', (text, names) => expect(quickActionsIn(text).map(({ name }) => name)).toEqual(names));

  it('are done when they are in a description or a note', async () => {
    const created = await api.Issues.create(PROJECT, 'Two', { description: 'Text\n/close' });
    const issue = host.issues.find(({ number }) => number === created.iid);
    expect(issue?.state).toBe('completed');
    await api.IssueNotes.create(PROJECT, created.iid, '/reopen');
    expect(issue?.state).toBe('open');
  });
});
