import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { request } from '@octokit/request';
import { Ajv } from 'ajv';
import { startLoopbackGitHub, type LoopbackGitHub } from './loopback-github.ts';

const START_MS = 1_764_500_000_000;
const REPO = { owner: 'acme', repo: 'shop' };

let host: LoopbackGitHub;
let nowMs = START_MS;
let api: typeof request;

beforeAll(async () => {
  host = await startLoopbackGitHub({ now: () => nowMs });
  const headers = { authorization: `Bearer ${host.credentials['token']}` };
  api = request.defaults({ baseUrl: `${host.baseUrl}/api/v3`, headers, ...REPO });
});
afterAll(() => host.stop());

const refused = async (work: Promise<unknown>) => (await work.catch((error: unknown) => error)) as object;

describe('the official client of GitHub', () => {
  it('creates, reads, changes, comments and lists issues', async () => {
    const { data: created, status } = await api('POST /repos/{owner}/{repo}/issues', {
      ...REPO,
      title: 'One',
      body: 'Text',
    });
    expect({ status, ...created }).toMatchObject({ status: 201, number: 1, state: 'open', state_reason: null });
    const at = { ...REPO, issue_number: created.number };
    nowMs += 61_000;
    const closed = await api('PATCH /repos/{owner}/{repo}/issues/{issue_number}', { ...at, state: 'closed' });
    expect(closed.data).toMatchObject({
      state: 'closed',
      state_reason: 'completed',
      closed_at: '2025-11-30T10:54:21Z',
    });
    await api('POST /repos/{owner}/{repo}/issues/{issue_number}/comments', { ...at, body: 'A comment' });
    const comments = await api('GET /repos/{owner}/{repo}/issues/{issue_number}/comments', at);
    expect(comments.data).toMatchObject([{ body: 'A comment' }]);
    expect((await api('GET /repos/{owner}/{repo}/issues', REPO)).data).toEqual([]);
    expect((await api('GET /repos/{owner}/{repo}/issues', { ...REPO, state: 'all' })).data).toHaveLength(1);
    expect((await api('GET /user')).data.login).toBe('clew-bot');
  });

  it('is refused as by GitHub', async () => {
    expect(await refused(api('GET /user', { headers: { authorization: 'Bearer x' } }))).toMatchObject({ status: 401 });
    expect(await refused(api('GET /repos/{owner}/{repo}', { owner: 'acme', repo: 'no' }))).toMatchObject({
      status: 404,
    });
    expect(await refused(api('POST /repos/{owner}/{repo}/issues', { ...REPO, title: '' }))).toMatchObject({
      status: 422,
    });
    const long = { ...REPO, title: 'x', body: 'x'.repeat(65_537) };
    expect(await refused(api('POST /repos/{owner}/{repo}/issues', long))).toMatchObject({ status: 422 });
    host.settings.issuesDisabled = true;
    expect(await refused(api('POST /repos/{owner}/{repo}/issues', { ...REPO, title: 'x' }))).toMatchObject({
      status: 410,
    });
    host.settings.issuesDisabled = false;
  });

  it('does not hear that labels were dropped', async () => {
    host.settings.dropsLabels = true;
    const created = await api('POST /repos/{owner}/{repo}/issues', { ...REPO, title: 'Two', labels: ['bug'] });
    expect([created.status, created.data.labels]).toEqual([201, []]);
    host.settings.dropsLabels = false;
  });

  it('finds a new issue by search only once the index knows it', async () => {
    host.settings.searchLagMs = 60_000;
    host.add('Three', 'With a marker-123');
    const search = async () => (await api('GET /search/issues', { q: '"marker-123" in:body' })).data.total_count;
    expect(await search()).toBe(0);
    nowMs += 60_000;
    expect(await search()).toBe(1);
  });

  it('follows a transferred issue, and hears that one was deleted', async () => {
    const [moved, deleted] = [host.add('Four'), host.add('Five')];
    host.move(moved);
    host.remove(deleted);
    const path = 'GET /repos/{owner}/{repo}/issues/{issue_number}';
    const followed = await api(path, { ...REPO, issue_number: moved.number });
    expect(followed.data.html_url).toMatch(/\/acme\/elsewhere\/issues\/\d+$/);
    expect(await refused(api(path, { ...REPO, issue_number: deleted.number }))).toMatchObject({ status: 410 });
  });

  it('hears of the rate, and of its limit', async () => {
    const { headers } = await api('GET /user');
    expect(headers).toMatchObject({
      'x-ratelimit-limit': '5000',
      'x-ratelimit-reset': expect.stringMatching(/^\d{10}$/),
    });
    for (const [as, status] of [
      ['asked', 429],
      ['reset', 403],
      ['bare', 403],
    ] as const) {
      host.faults.next({ kind: 'rate_limited', as, seconds: 5 });
      expect(await refused(api('GET /user'))).toMatchObject({ status });
    }
  });
});

const { default: schema } = await import('@octokit/webhooks-schemas', { with: { type: 'json' } });
const ajv = new Ajv({ strict: false, validateFormats: false, allowUnionTypes: true }).addSchema(schema, 'webhooks');

describe('the webhooks of GitHub on loopback', () => {
  it('fit the published schema, for everything that happens to an issue', () => {
    host.events.length = 0;
    const issue = host.add('An issue', 'Its body');
    host.rename(issue, 'Another title');
    for (const state of ['completed', 'open', 'not_planned'] as const) host.put(issue, state);
    host.remove(issue);
    host.move(host.add('Transferred', 'Its body'));
    const actions = host.events.map((event) => {
      const payload = JSON.parse(host.deliveryOf(event).body.toString()) as { action: string };
      const valid = ajv.validate(`webhooks#/definitions/issues$${payload.action}`, payload);
      expect({ ...{ action: payload.action, valid }, errors: ajv.errors }).toEqual({
        action: payload.action,
        valid: true,
        errors: null,
      });
      return payload.action;
    });
    expect(actions).toEqual(['opened', 'edited', 'closed', 'reopened', 'closed', 'deleted', 'opened', 'transferred']);
  });
});
