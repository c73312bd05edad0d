import { createHmac } from 'node:crypto';
import type { BoardEvent, HostedIssue } from '../board/issue-board.ts';
import type { TrackerDelivery } from '../board/loopback-tracker.ts';
import type { GitHubPlace } from './github-issues.ts';
import { issueView, USER, type HostedRepository } from './github-views.ts';

/** Builds and signs the webhook of an event. */
export function signGitHubDelivery(event: BoardEvent, place: GitHubPlace, secret: string): TrackerDelivery {
  const body = Buffer.from(JSON.stringify(payloadOf(event, place)));
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'GitHub-Hookshot/loopback',
    'x-github-event': 'issues',
    'x-github-delivery': event.uid,
    'x-github-hook-id': '1',
    'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  };
  return { headers, body };
}

function payloadOf({ kind, issue }: BoardEvent, { repository, other, apiUrl, webUrl }: GitHubPlace) {
  const changes = {
    ...(kind === 'edited' ? { changes: {} } : {}),
    ...(kind === 'transferred'
      ? {
          changes: {
            new_issue: whole(issue, other, apiUrl, webUrl),
            new_repository: wholeRepository(other, apiUrl, webUrl),
          },
        }
      : {}),
  };
  return {
    ...{ action: kind, issue: whole(issue, repository, apiUrl, webUrl), ...changes },
    ...{ repository: wholeRepository(repository, apiUrl, webUrl), sender: USER },
  };
}

/** Webhooks contain members that answers may leave out. */
function whole(issue: HostedIssue, repository: HostedRepository, apiUrl: string, webUrl: string) {
  const view = issueView(issue, repository, apiUrl, webUrl);
  const counts = { '+1': 0, '-1': 0, laugh: 0, confused: 0, heart: 0, hooray: 0, eyes: 0, rocket: 0 };
  const reactions = { url: `${view.url}/reactions`, total_count: 0, ...counts };
  return { ...view, active_lock_reason: null, reactions, timeline_url: `${view.url}/timeline` };
}

const ADDRESSES =
  'forks keys collaborators teams hooks issue_events events assignees branches tags blobs git_tags git_refs trees statuses languages stargazers contributors subscribers subscription commits git_commits comments issue_comment contents compare merges archive downloads issues pulls milestones notifications labels releases deployments git ssh clone svn mirror';

function wholeRepository({ id, owner, name }: HostedRepository, apiUrl: string, webUrl: string) {
  const [url, html_url, at] = [
    `${apiUrl}/repos/${owner}/${name}`,
    `${webUrl}/${owner}/${name}`,
    '2025-01-01T00:00:00Z',
  ];
  return {
    ...{
      id,
      node_id: `R_${id}`,
      name,
      full_name: `${owner}/${name}`,
      private: false,
      owner: { ...USER, login: owner },
    },
    ...Object.fromEntries(ADDRESSES.split(' ').map((address) => [`${address}_url`, `${url}/${address}`])),
    ...{ url, html_url, description: null, fork: false, created_at: at, updated_at: at, pushed_at: at, homepage: null },
    ...{ size: 1, stargazers_count: 0, watchers_count: 0, language: null, has_issues: true, has_projects: true },
    ...{ has_downloads: true, has_wiki: true, has_pages: false, forks_count: 0, archived: false, open_issues_count: 1 },
    ...{ license: null, forks: 0, open_issues: 1, watchers: 0, default_branch: 'main', is_template: false },
    ...{ web_commit_signoff_required: false, topics: [], visibility: 'public', custom_properties: {} },
  };
}
