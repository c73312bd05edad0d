import type { Clock } from '@clew/kernel';
import type { TrackerFetch } from '../exchange/send.ts';
import { hasMarker, toMarkedMarkdown } from '../text/marked.ts';
import { issueTitle } from '../text/title.ts';
import type { ConnectionTo } from '../tracker/connection.ts';
import { isIn } from '../tracker/is-in.ts';
import type { ExternalIssue, IssueReading, TrackerAdapter } from '../tracker/issue-tracker.ts';
import { done, mapDone, refused, type Outcome } from '../tracker/outcome.ts';
import { GitLabIssue, GitLabNote, GitLabNotes, GitLabProject, GitLabUser } from './gitlab-answers.ts';
import { createGitLabApi, type GitLabApi } from './gitlab-api.ts';
import { gitLabIssue, gitLabReading, parseGitLabExternalId, type GitLabReference } from './gitlab-issue.ts';
import { createGitLabLists } from './gitlab-lists.ts';

const PAGE_SIZE = 50;
const MAX_NOTE_PAGES = 20;
const NOT_AN_ISSUE = refused('content', 'This is not an issue of GitLab');

export function createGitLabTracker(
  connection: ConnectionTo<'gitlab'>,
  fetch: TrackerFetch,
  clock: Clock,
): TrackerAdapter {
  const api = createGitLabApi(connection, fetch, clock);
  const { destination } = connection;

  /** Changes an issue that exists; a missing one is read, to tell why. */
  async function change(externalId: string, method: string, path: string, body: object, signal: AbortSignal) {
    const reference = parseGitLabExternalId(externalId);
    if (reference === undefined) return NOT_AN_ISSUE;
    const request = api.request('change', method, issuePath(reference) + path, { body: { ...body } });
    const answered = await api.answer(request, signal, [404]);
    if (answered.kind !== 'done' || answered.value.status !== 404) return answered;
    const read = await readPresent(api, externalId, signal);
    if (read.kind !== 'done') return read;
    return refused('permission', 'GitLab does not let these credentials change the issue');
  }

  return {
    test: async (signal) => await test(api, destination?.projectId, signal),
    async create(draft, marker, signal) {
      if (destination === undefined) return refused('destination', 'No project is named');
      const body = { title: issueTitle(draft.title), description: toMarkedMarkdown(draft.body, marker) };
      const request = api.request('change', 'POST', `${projectPath(destination.projectId)}/issues`, { body });
      return mapDone(await api.value(request, GitLabIssue, signal), (created) => {
        const { externalId, key, url } = gitLabIssue(created);
        return { externalId, key, url };
      });
    },
    read: async (externalId, signal) => await read(api, externalId, signal),
    async update(externalId, draft, marker, signal) {
      const body = { title: issueTitle(draft.title), description: toMarkedMarkdown(draft.body, marker) };
      return mapDone(await change(externalId, 'PUT', '', body, signal), () => null);
    },
    async setState(externalId, target, signal) {
      if (target === 'in_progress')
        return refused('state', 'Issues of GitLab are open or closed, and never in progress');
      const issue = await readPresent(api, externalId, signal);
      if (issue.kind !== 'done') return issue;
      if (isIn(issue.value.state, target)) return done({ changed: false });
      const body = { state_event: target === 'open' ? 'reopen' : 'close' };
      return mapDone(await change(externalId, 'PUT', '', body, signal), () => ({ changed: true }));
    },
    async comment(externalId, { body, marker, mayExist }, signal) {
      if (mayExist) {
        const exists = await hasNote(api, externalId, marker, signal);
        if (exists.kind !== 'done' || exists.value) return mapDone(exists, () => ({ created: false }));
      }
      const text = toMarkedMarkdown(body, marker);
      const noted = await change(externalId, 'POST', '/notes', { body: text }, signal);
      if (noted.kind !== 'done') return noted;
      return mapDone(api.checked(noted.value, GitLabNote, 'change'), () => ({ created: true }));
    },
    ...createGitLabLists(api, destination),
  };
}

function projectPath(projectId: string): string {
  return `/projects/${encodeURIComponent(projectId)}`;
}

function issuePath({ projectId, iid }: GitLabReference): string {
  return `${projectPath(projectId)}/issues/${iid}`;
}

async function test(api: GitLabApi, projectId: string | undefined, signal: AbortSignal) {
  const user = await api.value(api.request('test', 'GET', '/user'), GitLabUser, signal);
  if (user.kind !== 'done') return user;
  const account = user.value.username;
  if (projectId === undefined) return done({ account, destination: null });
  const seen = await api.value(api.request('test', 'GET', projectPath(projectId)), GitLabProject, signal);
  if (seen.kind !== 'done') return seen;
  const { path_with_namespace: name, web_url: url, archived, issues_enabled, issues_access_level } = seen.value;
  if (archived === true) return refused('destination', 'The project is archived: it takes no issues');
  if (issues_enabled === false || issues_access_level === 'disabled') {
    return refused('destination', 'Issues are disabled in this project');
  }
  return done({ account, destination: { name, url } });
}

async function read(api: GitLabApi, externalId: string, signal: AbortSignal): Promise<Outcome<IssueReading>> {
  const reference = parseGitLabExternalId(externalId);
  if (reference === undefined) return NOT_AN_ISSUE;
  const answered = await api.answer(api.request('read', 'GET', issuePath(reference)), signal, [404]);
  if (answered.kind !== 'done') return answered;
  if (answered.value.status !== 404) return mapDone(api.checked(answered.value, GitLabIssue, 'read'), gitLabReading);
  // A project that is hidden answers like a deleted issue in it.
  const project = await api.answer(api.request('read', 'GET', projectPath(reference.projectId)), signal);
  return mapDone(project, () => ({ kind: 'gone', externalId, reason: 'deleted' }));
}

async function readPresent(api: GitLabApi, externalId: string, signal: AbortSignal): Promise<Outcome<ExternalIssue>> {
  const reading = await read(api, externalId, signal);
  if (reading.kind !== 'done') return reading;
  if (reading.value.kind === 'present') return done(reading.value.issue);
  return refused('gone', `The issue was ${reading.value.reason} at GitLab`);
}

async function hasNote(
  api: GitLabApi,
  externalId: string,
  marker: string,
  signal: AbortSignal,
): Promise<Outcome<boolean>> {
  const reference = parseGitLabExternalId(externalId);
  if (reference === undefined) return NOT_AN_ISSUE;
  for (let page = 1; page <= MAX_NOTE_PAGES; page += 1) {
    const query = { order_by: 'created_at', sort: 'asc', page, per_page: PAGE_SIZE };
    const request = api.request('read', 'GET', `${issuePath(reference)}/notes`, { query });
    const answered = await api.answer(request, signal, [404]);
    if (answered.kind !== 'done') return answered;
    if (answered.value.status === 404) return mapDone(await readPresent(api, externalId, signal), () => false);
    const notes = api.checked(answered.value, GitLabNotes, 'read');
    if (notes.kind !== 'done') return notes;
    if (notes.value.some(({ body }) => hasMarker(body, marker))) return done(true);
    if (notes.value.length < PAGE_SIZE) return done(false);
  }
  return refused('content', 'The issue has too many comments to look for one');
}
