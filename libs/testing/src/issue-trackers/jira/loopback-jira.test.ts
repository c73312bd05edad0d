import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createCloudClient } from 'jira.js';
import { documentOf, isDocument, textOf } from './document.ts';
import { parseJql } from './jql.ts';
import { startLoopbackJira, type LoopbackJira } from './loopback-jira.ts';

let host: LoopbackJira;
let nowMs = 1_764_500_000_000;
let api: ReturnType<typeof createCloudClient>;

beforeAll(async () => {
  host = await startLoopbackJira({ now: () => nowMs });
  const { email = '', token = '' } = host.credentials;
  // An answer that does not fit the description of the API is an error.
  api = createCloudClient({
    host: host.baseUrl,
    auth: { type: 'basic', email, apiToken: token },
    onSchemaMismatch: 'throw',
  });
});
afterAll(() => host.stop());

const create = (summary: string, more: object = {}) =>
  api.issues.createIssue({ fields: { project: { key: 'SHOP' }, issuetype: { id: '10004' }, summary, ...more } });
const statusOf = async (work: Promise<unknown>) =>
  ((await work.catch((error: unknown) => error)) as { status?: number }).status;

describe('a client of Jira that checks each answer against the published description', () => {
  it('creates, reads, changes, comments and moves issues', async () => {
    const created = await create('One', { description: documentOf('Text'), labels: ['wi_marker'] });
    expect(created).toMatchObject({ key: 'SHOP-1' });
    const issueIdOrKey = created.id ?? '';
    const { transitions = [] } = await api.issues.getTransitions({ issueIdOrKey });
    const done = transitions.find(({ to }) => to?.statusCategory?.key === 'done' && to.name === 'Done');
    await api.issues.doTransition({ issueIdOrKey, transition: { id: done?.id ?? '' } });
    const read = await api.issues.getIssue({ issueIdOrKey: 'SHOP-1' });
    expect(read.fields).toMatchObject({ summary: 'One', status: { name: 'Done' }, resolution: { name: 'Done' } });
    await api.issues.editIssue({ issueIdOrKey, fields: { summary: 'Two' } });
    await api.issueComments.addComment({ issueIdOrKey, body: documentOf('A comment') as never });
    const { comments = [] } = await api.issueComments.getComments({ issueIdOrKey });
    expect(comments.map(({ body }) => textOf(body))).toEqual(['A comment']);
    expect(await api.myself.getCurrentUser()).toMatchObject({ displayName: 'Clew Bot' });
    expect((await api.projects.getProject({ projectIdOrKey: 'SHOP' })).issueTypes).toHaveLength(3);
  });

  it('searches an index that lags, except for issues that it names, page by page', async () => {
    nowMs += 60_000;
    host.settings.searchLagMs = 60_000;
    for (let index = 0; index < 3; index += 1) await create(`Page ${index}`, { labels: ['paged'] });
    const search = (more: object = {}) =>
      api.issueSearch.searchAndReconsileIssuesUsingJqlPost({
        jql: 'labels = "paged" ORDER BY created ASC',
        maxResults: 2,
        ...more,
      });
    expect(await search()).toMatchObject({ issues: [], isLast: true });
    expect((await search({ reconcileIssues: [host.issues[1]?.id] })).issues).toHaveLength(1);
    nowMs += 60_000;
    const first = await search();
    expect([first.issues?.length, first.isLast]).toEqual([2, false]);
    const second = await search({ nextPageToken: first.nextPageToken });
    expect([second.issues?.length, second.isLast]).toEqual([1, true]);
    const otherQuery = { jql: 'labels = "other"', nextPageToken: first.nextPageToken };
    expect(await statusOf(search(otherQuery))).toBe(400);
    host.settings.searchLagMs = 0;
  });

  it('is refused as by Jira', async () => {
    expect(await statusOf(create(''))).toBe(400);
    expect(await statusOf(create('x'.repeat(256)))).toBe(400);
    expect(await statusOf(create('Two\nlines'))).toBe(400);
    expect(await statusOf(create('Text', { description: { type: 'paragraph' } }))).toBe(400);
    expect(await statusOf(create('Long', { description: documentOf('x'.repeat(33_000)) }))).toBe(400);
    expect(await statusOf(create('Subtask', { issuetype: { id: '10003' } }))).toBe(400);
    expect(await statusOf(api.issues.getIssue({ issueIdOrKey: 'SHOP-999' }))).toBe(404);
    expect(await statusOf(api.projects.getProject({ projectIdOrKey: 'NO' }))).toBe(404);
    expect(await statusOf(api.issueSearch.searchAndReconsileIssuesUsingJqlPost({ jql: 'no query' }))).toBe(400);
    const { email = '' } = host.credentials;
    const other = createCloudClient({ host: host.baseUrl, auth: { type: 'basic', email, apiToken: 'x' } });
    expect(await statusOf(other.myself.getCurrentUser())).toBe(401);
    expect(
      (
        await fetch(`${host.baseUrl}/rest/api/3/search?jql=x`, {
          headers: { authorization: host.requests[0]?.headers.authorization ?? '' },
        })
      ).status,
    ).toBe(410);
  });

  it('can get transitions that do not name their state', async () => {
    host.settings.hidesTargets = true;
    const { transitions = [] } = await api.issues.getTransitions({ issueIdOrKey: 'SHOP-2' });
    expect(transitions.map(({ to }) => to)).toEqual([undefined, undefined, undefined]);
    host.settings.hidesTargets = false;
  });
});

describe('the query language', () => {
  const run = (jql: string) => {
    const query = parseJql(jql, { projectKey: 'SHOP', now: () => nowMs });
    return query === undefined
      ? undefined
      : host.issues.filter((issue) => query.matches(issue)).map(({ title }) => title);
  };

  it.each([
    ['project = "SHOP" AND labels = "WI_MARKER"', ['Two']],
    ['labels = "wi_marker" OR labels = "paged"', ['Two', 'Page 0', 'Page 1', 'Page 2']],
    ['project = "SHOP" AND (labels = "no" OR description ~ "\\"Text\\"") ORDER BY created ASC', ['Two']],
    ['project = "OTHER"', []],
    ['updated >= "-1m" AND labels = "wi_marker"', []],
    ['updated >= "-3m" AND labels = "wi_marker" ORDER BY updated DESC, key DESC', ['Two']],
  ])('%s', (jql, titles) => expect(run(jql)).toEqual(titles));

  it.each([
    '',
    'project =',
    'project = "SHOP" AND',
    '(project = "SHOP"',
    'owner = "x"',
    'updated >= "2025-01-01"',
    'project = "SHOP" ORDER BY owner',
    '"unclosed',
  ])('refuses %j', (jql) => expect(run(jql)).toBeUndefined());
});

describe('a document', () => {
  it('has text, and is refused with empty text', () => {
    expect(textOf(documentOf('Text'))).toBe('Text');
    expect([documentOf(''), documentOf('x'), 'x', null, { type: 'doc' }, emptyText()].map(isDocument)).toEqual([
      ...[true, true, false, false, false, false],
    ]);
  });
});

function emptyText(): unknown {
  return { type: 'doc', version: 1, content: [{ type: 'paragraph', content: [{ type: 'text', text: '' }] }] };
}
