import type { components } from '@octokit/openapi-types';
import { isDone, type HostedComment, type HostedIssue } from '../board/issue-board.ts';

type Schemas = components['schemas'];

/** Repository of the server. */
export interface HostedRepository {
  id: number;
  owner: string;
  name: string;
  /** Repository that transferred issues are in, with numbers of its own. */
  isOther: boolean;
}

export const ACCOUNT = 'clew-bot';

const USER_ID = 41;
export const USER: Schemas['simple-user'] = {
  ...{ login: ACCOUNT, id: USER_ID, node_id: 'U_kgDOAAAAKQ', avatar_url: '', gravatar_id: '' },
  ...{ url: '', html_url: '', followers_url: '', following_url: '', gists_url: '', starred_url: '' },
  ...{ subscriptions_url: '', organizations_url: '', repos_url: '', events_url: '', received_events_url: '' },
  ...{ type: 'User', site_admin: false },
};

/** GitHub writes times to the second. */
function time(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

const REASONS = {
  completed: 'completed',
  not_planned: 'not_planned',
  cancelled: 'not_planned',
  duplicate: 'duplicate',
} as const;

export function issueView(issue: HostedIssue, repository: HostedRepository, apiUrl: string, webUrl: string) {
  const { owner, name, isOther } = repository;
  const number = isOther ? (issue.movedTo ?? issue.number) : issue.number;
  const url = `${apiUrl}/repos/${owner}/${name}/issues/${number}`;
  const kind = issue.isPullRequest ? 'pull' : 'issues';
  const html_url = `${webUrl}/${owner}/${name}/${kind}/${number}`;
  return {
    ...{ id: issue.id, node_id: `I_${issue.uid}`, number, url, html_url },
    repository_url: `${apiUrl}/repos/${owner}/${name}`,
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    title: issue.title,
    body: typeof issue.body === 'string' ? issue.body : null,
    state: isDone(issue.state) ? 'closed' : 'open',
    state_reason: stateReason(issue),
    user: USER,
    labels: issue.labels.map((label) => ({ name: label })),
    ...{ assignee: null, assignees: [], milestone: null, locked: false, comments: issue.comments.length },
    closed_at: issue.closedAtMs === null ? null : time(issue.closedAtMs),
    created_at: time(issue.createdAtMs),
    updated_at: time(issue.updatedAtMs),
    author_association: 'NONE',
    ...(issue.isPullRequest ? { pull_request: { url, html_url, diff_url: null, patch_url: null } } : {}),
  } satisfies Schemas['issue'];
}

function stateReason({ state, closedAtMs, updatedAtMs, createdAtMs }: HostedIssue) {
  if (state !== 'open' && state !== 'in_progress') return REASONS[state];
  return closedAtMs === null && updatedAtMs === createdAtMs ? null : 'reopened';
}

export function commentView({ id, uid, body, createdAtMs }: HostedComment, issueUrl: string) {
  const at = time(createdAtMs);
  return {
    ...{ id, node_id: `IC_${uid}`, url: `${issueUrl}/comments/${id}`, html_url: '', issue_url: issueUrl },
    ...{ body: String(body), user: USER, created_at: at, updated_at: at, author_association: 'NONE' },
  } satisfies Schemas['issue-comment'];
}

/** Members of a repository that clients read; the whole one has a hundred. */
export function repositoryView(
  { id, owner, name }: HostedRepository,
  { webUrl, hasIssues, canPush }: { webUrl: string; hasIssues: boolean; canPush: boolean },
) {
  return {
    ...{ id, name, full_name: `${owner}/${name}`, html_url: `${webUrl}/${owner}/${name}`, private: false },
    ...{ owner: { login: owner }, has_issues: hasIssues, archived: false, disabled: false },
    permissions: { admin: false, maintain: false, push: canPush, triage: canPush, pull: true },
  } satisfies Partial<Omit<Schemas['full-repository'], 'owner'>> & { owner: { login: string } };
}

export function userView() {
  return { ...USER, name: null, public_repos: 0 };
}
