import { isDone, type HostedComment, type HostedIssue } from '../board/issue-board.ts';

export interface HostedProject {
  id: number;
  path: string;
  webUrl: string;
}

export const USER = {
  ...{ id: 7, username: 'clew-bot', name: 'Clew', state: 'active', locked: false, avatar_url: null },
  web_url: 'https://gitlab.example/clew-bot',
};

export function issueView(issue: HostedIssue, { id, path, webUrl }: HostedProject) {
  const web_url = `${webUrl}/${path}/-/issues/${issue.number}`;
  const self = `${webUrl}/api/v4/projects/${id}/issues/${issue.number}`;
  const isClosed = isDone(issue.state) || issue.gone === 'moved';
  return {
    ...{ id: issue.id, iid: issue.number, project_id: id, title: issue.title, description: issue.body ?? null },
    ...{
      state: isClosed ? 'closed' : 'opened',
      created_at: time(issue.createdAtMs),
      updated_at: time(issue.updatedAtMs),
    },
    closed_at: isClosed ? time(issue.closedAtMs ?? issue.updatedAtMs) : null,
    closed_by: isClosed ? USER : null,
    ...{ labels: issue.labels, milestone: null, assignees: [], author: USER, type: 'ISSUE', assignee: null },
    ...{ user_notes_count: issue.comments.length, merge_requests_count: 0, upvotes: 0, downvotes: 0, due_date: null },
    ...{ confidential: false, discussion_locked: null, issue_type: 'issue', severity: 'UNKNOWN', has_tasks: false },
    ...{ web_url, moved_to_id: issue.movedTo, task_completion_status: { count: 0, completed_count: 0 } },
    time_stats: { time_estimate: 0, total_time_spent: 0, human_time_estimate: null, human_total_time_spent: null },
    references: { short: `#${issue.number}`, relative: `#${issue.number}`, full: `${path}#${issue.number}` },
    _links: {
      ...{
        self,
        notes: `${self}/notes`,
        award_emoji: `${self}/award_emoji`,
        project: `${webUrl}/api/v4/projects/${id}`,
      },
      closed_as_duplicate_of: issue.state === 'duplicate' ? `${webUrl}/api/v4/projects/${id}/issues/1` : null,
    },
  };
}

export function noteView(
  { id, body, createdAtMs }: HostedComment,
  issue: HostedIssue,
  { id: project_id }: HostedProject,
) {
  return {
    ...{ id, type: null, body: String(body), author: USER, system: false, internal: false, resolvable: false },
    ...{ created_at: time(createdAtMs), updated_at: time(createdAtMs), noteable_id: issue.id, noteable_type: 'Issue' },
    ...{ project_id, noteable_iid: issue.number, confidential: false, commands_changes: {} },
  };
}

export function projectView({ id, path, webUrl }: HostedProject, issuesEnabled: boolean) {
  return {
    ...{ id, path_with_namespace: path, name: path.split('/').at(-1), web_url: `${webUrl}/${path}`, archived: false },
    ...{
      issues_enabled: issuesEnabled,
      issues_access_level: issuesEnabled ? 'enabled' : 'disabled',
      visibility: 'private',
    },
  };
}

function time(ms: number): string {
  return new Date(ms).toISOString();
}
