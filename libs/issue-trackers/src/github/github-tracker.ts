import type { Clock } from '@clew/kernel';
import type { TrackerFetch } from '../exchange/send.ts';
import { hasMarker, toMarkedMarkdown } from '../text/marked.ts';
import { issueTitle } from '../text/title.ts';
import type { ConnectionTo } from '../tracker/connection.ts';
import { isIn } from '../tracker/is-in.ts';
import type { IssueLink, TargetState, TrackerAdapter } from '../tracker/issue-tracker.ts';
import { done, mapDone, refused, unknown, type Outcome } from '../tracker/outcome.ts';
import { GitHubComments, GitHubIssue, GitHubRepository, GitHubUser } from './github-answers.ts';
import { createGitHubApi, type GitHubApi } from './github-api.ts';
import { gitHubIssue } from './github-issue.ts';
import { createGitHubLists } from './github-lists.ts';
import { parseGitHubExternalId, type GitHubReference } from './github-reference.ts';
import { createGitHubReader, NOT_AN_ISSUE, type GitHubReader } from './github-reader.ts';

const PAGE_SIZE = 100;
const MAX_COMMENT_PAGES = 20;

export function createGitHubTracker(
  connection: ConnectionTo<'github'>,
  fetch: TrackerFetch,
  clock: Clock,
): TrackerAdapter {
  const api = createGitHubApi(connection, fetch, clock);
  const reader = createGitHubReader(api);
  const { destination } = connection;
  return {
    test: async (signal) => await test(api, destination, signal),
    async create(draft, marker, signal) {
      if (destination === undefined) return NO_DESTINATION;
      const body = toMarkedMarkdown(draft.body, marker);
      const request = api.request('change', 'POST /repos/{owner}/{repo}/issues', {
        ...{ ...destination, title: issueTitle(draft.title), body },
      });
      const created = await api.value(request, GitHubIssue, signal);
      if (created.kind !== 'done') return created;
      const issue = gitHubIssue(created.value);
      return issue === undefined ? unknown('GitHub names the new issue in an unknown way') : done(linkOf(issue));
    },
    read: async (externalId, signal) => mapDone(await reader.read(externalId, signal), ({ reading }) => reading),
    async update(externalId, draft, marker, signal) {
      const body = toMarkedMarkdown(draft.body, marker);
      return await change(reader, externalId, signal, ({ owner, repo, number }) =>
        api.request('change', 'PATCH /repos/{owner}/{repo}/issues/{issue_number}', {
          ...{ owner, repo, issue_number: number, title: issueTitle(draft.title), body },
        }),
      );
    },
    async setState(externalId, target, signal) {
      if (target === 'in_progress')
        return refused('state', 'Issues of GitHub are open or closed, and never in progress');
      const read = await reader.readPresent(externalId, signal);
      if (read.kind !== 'done') return read;
      const { state, externalId: current } = read.value;
      if (isIn(state, target)) return done({ changed: false });
      const changed = await change(reader, current, signal, ({ owner, repo, number }) =>
        api.request('change', 'PATCH /repos/{owner}/{repo}/issues/{issue_number}', {
          ...{ owner, repo, issue_number: number, ...stateOf(target) },
        }),
      );
      return mapDone(changed, () => ({ changed: true }));
    },
    async comment(externalId, { body, marker, mayExist }, signal) {
      if (mayExist) {
        const exists = await hasComment(api, reader, { externalId, marker }, signal);
        if (exists.kind !== 'done' || exists.value) return mapDone(exists, () => ({ created: false }));
      }
      const text = toMarkedMarkdown(body, marker);
      const commented = await change(reader, externalId, signal, ({ owner, repo, number }) =>
        api.request('change', 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments', {
          ...{ owner, repo, issue_number: number, body: text },
        }),
      );
      return mapDone(commented, () => ({ created: true }));
    },
    ...createGitHubLists(api, destination),
  };
}

const NO_DESTINATION = refused('destination', 'No repository is named');

function linkOf({ externalId, key, url }: IssueLink): IssueLink {
  return { externalId, key, url };
}

function stateOf(target: TargetState) {
  if (target === 'open') return { state: 'open', state_reason: 'reopened' } as const;
  return { state: 'closed', state_reason: target === 'not_planned' ? 'not_planned' : 'completed' } as const;
}

async function test(api: GitHubApi, destination: ConnectionTo<'github'>['destination'], signal: AbortSignal) {
  // The tokens of an app belong to no user.
  const who = await api.answer(api.request('test', 'GET /user', {}), signal, [403]);
  if (who.kind !== 'done') return who;
  const user = who.value.status === 403 ? done(null) : api.checked(who.value, GitHubUser, 'test');
  if (user.kind !== 'done') return user;
  const account = user.value?.login ?? null;
  if (destination === undefined) return done({ account, destination: null });
  const seen = await api.value(api.request('test', 'GET /repos/{owner}/{repo}', destination), GitHubRepository, signal);
  if (seen.kind !== 'done') return seen;
  const { full_name: name, html_url: url, has_issues, archived } = seen.value;
  if (archived) return refused('destination', 'The repository is archived: it takes no issues');
  if (!has_issues) return refused('destination', 'Issues are disabled in this repository');
  return done({ account, destination: { name, url } });
}

/** Sends a change to the issue; to its new place, if it moved. A redirect means that nothing was changed. */
async function change(
  reader: GitHubReader,
  externalId: string,
  signal: AbortSignal,
  requestOf: (reference: GitHubReference) => ReturnType<GitHubApi['request']>,
): Promise<Outcome<null>> {
  const reference = parseGitHubExternalId(externalId);
  if (reference === undefined) return NOT_AN_ISSUE;
  const first = await reader.change(requestOf(reference), signal);
  if (first.kind !== 'done' || first.value) return mapDone(first, () => null);
  const read = await reader.readPresent(externalId, signal);
  if (read.kind !== 'done') return read;
  const moved = parseGitHubExternalId(read.value.externalId);
  if (moved === undefined) return NOT_AN_ISSUE;
  if (read.value.externalId === externalId) {
    return refused('permission', 'GitHub does not let these credentials change the issue');
  }
  const second = await reader.change(requestOf(moved), signal);
  if (second.kind !== 'done' || second.value) return mapDone(second, () => null);
  return refused('gone', 'The issue was moved');
}

async function hasComment(
  api: GitHubApi,
  reader: GitHubReader,
  { externalId, marker }: { externalId: string; marker: string },
  signal: AbortSignal,
): Promise<Outcome<boolean>> {
  const read = await reader.readPresent(externalId, signal);
  if (read.kind !== 'done') return read;
  const reference = parseGitHubExternalId(read.value.externalId);
  if (reference === undefined) return NOT_AN_ISSUE;
  const { owner, repo, number } = reference;
  for (let page = 1; page <= MAX_COMMENT_PAGES; page += 1) {
    const request = api.request('read', 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments', {
      ...{ owner, repo, issue_number: number, page, per_page: PAGE_SIZE },
    });
    const comments = await api.value(request, GitHubComments, signal);
    if (comments.kind !== 'done') return comments;
    if (comments.value.some(({ body }) => hasMarker(body ?? '', marker))) return done(true);
    if (comments.value.length < PAGE_SIZE) return done(false);
  }
  return refused('content', 'The issue has too many comments to look for one');
}
