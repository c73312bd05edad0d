import type { HostedComment, HostedIssue, HostedState } from '../board/issue-board.ts';

export const ORGANIZATION = { id: 'a3b7a9c0-6d1f-4c49-9d3b-000000000001', name: 'Acme', urlKey: 'acme' };
export const TEAM = {
  id: '9cfb482a-81e3-4154-b5b9-2c805e70a02d',
  key: 'ENG',
  name: 'Engineering',
  organization: ORGANIZATION,
};
export const OTHER_TEAM = { ...TEAM, id: '9cfb482a-81e3-4154-b5b9-2c805e70a02e', key: 'ELSE', name: 'Elsewhere' };
export const VIEWER = { id: 'a3b7a9c0-6d1f-4c49-9d3b-000000000002', name: 'Clew Bot', email: 'bot@acme.example' };

/** States of the team, in the order of their type; two of one type have positions. */
export const STATES = [
  { id: '00000000-0000-4000-8000-000000000001', name: 'Triage', type: 'triage', position: 0 },
  { id: '00000000-0000-4000-8000-000000000002', name: 'Backlog', type: 'backlog', position: 0 },
  { id: '00000000-0000-4000-8000-000000000003', name: 'Todo', type: 'unstarted', position: 1 },
  { id: '00000000-0000-4000-8000-000000000004', name: 'In Review', type: 'started', position: 1002 },
  { id: '00000000-0000-4000-8000-000000000005', name: 'In Progress', type: 'started', position: 2 },
  { id: '00000000-0000-4000-8000-000000000006', name: 'Done', type: 'completed', position: 3 },
  { id: '00000000-0000-4000-8000-000000000007', name: 'Canceled', type: 'canceled', position: 4 },
  { id: '00000000-0000-4000-8000-000000000008', name: 'Duplicate', type: 'duplicate', position: 5 },
] as const;

const NAME_OF: Readonly<Record<HostedState, string>> = {
  ...{ open: 'Todo', in_progress: 'In Progress', completed: 'Done' },
  ...{ not_planned: 'Canceled', cancelled: 'Canceled', duplicate: 'Duplicate' },
};
const STATE_OF_TYPE: Readonly<Record<string, HostedState>> = {
  ...{ triage: 'open', backlog: 'open', unstarted: 'open', started: 'in_progress' },
  ...{ completed: 'completed', canceled: 'cancelled', duplicate: 'duplicate' },
};

export function stateOfId(id: string): HostedState | undefined {
  const state = STATES.find((each) => each.id === id);
  return state === undefined ? undefined : STATE_OF_TYPE[state.type];
}

export function issueView(issue: HostedIssue) {
  const team = issue.movedTo === null ? TEAM : OTHER_TEAM;
  const identifier = `${team.key}-${issue.movedTo ?? issue.number}`;
  const state = STATES.find(({ name }) => name === NAME_OF[issue.state]) ?? STATES[0];
  const isTrashed = issue.gone === 'deleted';
  return {
    ...{
      id: issue.uid,
      identifier,
      number: issue.movedTo ?? issue.number,
      title: issue.title,
      priority: issue.priority,
    },
    description: typeof issue.body === 'string' ? issue.body : null,
    url: `https://linear.app/acme/issue/${identifier}/title`,
    ...{ createdAt: time(issue.createdAtMs), updatedAt: time(issue.updatedAtMs) },
    completedAt: state.type === 'completed' ? time(issue.updatedAtMs) : null,
    canceledAt: state.type === 'canceled' ? time(issue.updatedAtMs) : null,
    archivedAt: isTrashed ? time(issue.updatedAtMs) : null,
    trashed: isTrashed ? true : null,
    ...{ state: { ...state, team }, team },
  };
}

export function commentView({ uid, body, createdAtMs }: HostedComment) {
  return { id: uid, body: String(body), createdAt: time(createdAtMs), updatedAt: time(createdAtMs) };
}

function time(ms: number): string {
  return new Date(ms).toISOString();
}
