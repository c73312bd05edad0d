import { isDone, type HostedComment, type HostedIssue, type HostedState } from '../board/issue-board.ts';

export interface HostedJiraProject {
  key: string;
  siteUrl: string;
}

export const TYPES = [
  { id: '10001', name: 'Task', subtask: false },
  { id: '10004', name: 'Bug', subtask: false },
  { id: '10003', name: 'Sub-task', subtask: true },
] as const;

export const STATUSES = {
  todo: { id: '10000', name: 'To Do', category: { id: 2, key: 'new', colorName: 'blue-gray', name: 'To Do' } },
  progress: {
    id: '3',
    name: 'In Progress',
    category: { id: 4, key: 'indeterminate', colorName: 'yellow', name: 'In Progress' },
  },
  done: { id: '10002', name: 'Done', category: { id: 3, key: 'done', colorName: 'green', name: 'Done' } },
  rejected: { id: '10005', name: 'Rejected', category: { id: 3, key: 'done', colorName: 'green', name: 'Done' } },
} as const;
export type StatusName = keyof typeof STATUSES;

const STATUS_OF: Readonly<Record<HostedState, StatusName>> = {
  ...{ open: 'todo', in_progress: 'progress', completed: 'done' },
  ...{ not_planned: 'rejected', cancelled: 'done', duplicate: 'done' },
};
const RESOLUTION_OF: Readonly<Partial<Record<HostedState, string>>> = {
  ...{ completed: 'Done', not_planned: "Won't Do", cancelled: 'Cancelled', duplicate: 'Duplicate' },
};

export function userView(siteUrl: string) {
  const accountId = '5b10a2844c20165700ede21g';
  return {
    ...{ accountId, accountType: 'atlassian', active: true, displayName: 'Clew Bot', timeZone: 'Australia/Sydney' },
    ...{ emailAddress: 'bot@acme.example', self: `${siteUrl}/rest/api/3/user?accountId=${accountId}`, avatarUrls: {} },
  };
}

export function keyOf(issue: HostedIssue, { key }: HostedJiraProject): string {
  return issue.movedTo === null ? `${key}-${issue.number}` : `ELSE-${issue.movedTo}`;
}

export function issueView(issue: HostedIssue, project: HostedJiraProject, fields: readonly string[]) {
  const all = allFields(issue, project.siteUrl);
  const chosen = Object.entries(all).filter(([name]) => fields.includes('*all') || fields.includes(name));
  const self = `${project.siteUrl}/rest/api/3/issue/${issue.id}`;
  return { id: String(issue.id), key: keyOf(issue, project), self, fields: Object.fromEntries(chosen) };
}

function allFields(issue: HostedIssue, siteUrl: string): Record<string, unknown> {
  const resolution = RESOLUTION_OF[issue.state];
  return {
    summary: issue.title,
    description: issue.body,
    labels: issue.labels,
    created: time(issue.createdAtMs),
    updated: time(issue.updatedAtMs),
    status: statusView(STATUS_OF[issue.state], siteUrl),
    resolution: resolution === undefined ? null : { id: '10000', name: resolution, description: '' },
    resolutiondate: isDone(issue.state) ? time(issue.closedAtMs ?? issue.updatedAtMs) : null,
  };
}

export function statusView(name: StatusName, siteUrl: string) {
  const { id, name: title, category } = STATUSES[name];
  return {
    ...{ id, name: title, description: '', iconUrl: `${siteUrl}/`, self: `${siteUrl}/rest/api/3/status/${id}` },
    statusCategory: { ...category, self: `${siteUrl}/rest/api/3/statuscategory/${category.id}` },
  };
}

export function commentView({ id, body, createdAtMs }: HostedComment, siteUrl: string) {
  const [author, at] = [userView(siteUrl), time(createdAtMs)];
  return {
    id: String(id),
    self: siteUrl,
    author,
    updateAuthor: author,
    body,
    created: at,
    updated: at,
    jsdPublic: true,
  };
}

/** Jira writes times with an offset in four digits. */
function time(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '+0000');
}
