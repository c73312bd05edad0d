import { refused, done, unavailable, type Outcome } from '../tracker/outcome.ts';
import type { HttpRequest } from '../exchange/send.ts';
import type { ExternalIssue, IssueReading } from '../tracker/issue-tracker.ts';
import { GitHubIssue, GitHubRepository } from './github-answers.ts';
import type { GitHubApi } from './github-api.ts';
import { gitHubIssue } from './github-issue.ts';
import { parseGitHubExternalId } from './github-reference.ts';

export const NOT_AN_ISSUE = refused('content', 'This is not an issue of GitHub');
/** Transfers that are followed from one place to the next. */
const MAX_TRANSFERS = 3;
const REDIRECTS: readonly number[] = [301, 302, 307, 308];

export interface GitHubReader {
  /** Reads an issue, also at the place it was transferred to. */
  read(externalId: string, signal: AbortSignal): Promise<Outcome<{ reading: IssueReading; body: string }>>;
  /** Reads an issue for a change to it: one that is gone is refused. */
  readPresent(externalId: string, signal: AbortSignal): Promise<Outcome<ExternalIssue>>;
  /** Sends a change to an issue. Done with false if the issue has moved, and nothing was changed. */
  change(request: HttpRequest, signal: AbortSignal): Promise<Outcome<boolean>>;
}

export function createGitHubReader(api: GitHubApi): GitHubReader {
  const gone = (externalId: string) =>
    done({ reading: { kind: 'gone', externalId, reason: 'deleted' } as const, body: '' });

  /** A repository that is hidden answers like a deleted issue in it. */
  async function goneOrHidden(externalId: string, signal: AbortSignal) {
    const reference = parseGitHubExternalId(externalId);
    if (reference === undefined) return NOT_AN_ISSUE;
    const { owner, repo } = reference;
    const seen = await api.value(
      api.request('read', 'GET /repos/{owner}/{repo}', { owner, repo }),
      GitHubRepository,
      signal,
    );
    return seen.kind === 'done' ? gone(externalId) : seen;
  }

  async function readFrom(externalId: string, first: HttpRequest, signal: AbortSignal) {
    let request = first;
    for (let transfers = 0; transfers <= MAX_TRANSFERS; transfers += 1) {
      const answered = await api.answer(request, signal, [...REDIRECTS, 404, 410]);
      if (answered.kind !== 'done') return answered;
      const { status } = answered.value;
      if (status === 410) return gone(externalId);
      if (status === 404) {
        // A transferred issue whose new place is hidden is out of reach for good.
        if (transfers > 0) return done({ reading: { kind: 'gone', externalId, reason: 'moved' } as const, body: '' });
        return await goneOrHidden(externalId, signal);
      }
      const location = answered.value.header('location') ?? '';
      if (!REDIRECTS.includes(status)) return presentOf(answered.value);
      if (!location.startsWith(`${api.url}/`)) return refused('address', 'GitHub redirects to another server');
      request = api.follow(location);
    }
    return unavailable('GitHub redirects in a circle');
  }

  function presentOf(answer: Parameters<GitHubApi['checked']>[0]) {
    const checked = api.checked(answer, GitHubIssue, 'read');
    if (checked.kind !== 'done') return checked;
    if (checked.value.pull_request != null) return refused('content', 'This is a pull request, not an issue');
    const issue = gitHubIssue(checked.value);
    if (issue === undefined) return unavailable('GitHub names the issue in an unknown way');
    return done({ reading: { kind: 'present', issue } as const, body: checked.value.body ?? '' });
  }

  const reader: GitHubReader = {
    async read(externalId, signal) {
      const reference = parseGitHubExternalId(externalId);
      if (reference === undefined) return NOT_AN_ISSUE;
      const { owner, repo, number } = reference;
      const parameters = { owner, repo, issue_number: number };
      const request = api.request('read', 'GET /repos/{owner}/{repo}/issues/{issue_number}', parameters);
      return await readFrom(externalId, request, signal);
    },
    async readPresent(externalId, signal) {
      const read = await reader.read(externalId, signal);
      if (read.kind !== 'done') return read;
      const { reading } = read.value;
      if (reading.kind === 'gone') return refused('gone', `The issue was ${reading.reason} at GitHub`);
      return done(reading.issue);
    },
    async change(request, signal) {
      const answered = await api.answer(request, signal, [...REDIRECTS, 404, 410]);
      if (answered.kind !== 'done') return answered;
      const { status } = answered.value;
      // Missing issues, too, are read again: the reading tells a deleted one from a hidden repository.
      return done(!REDIRECTS.includes(status) && status !== 404 && status !== 410);
    },
  };
  return reader;
}
