import { randomUUID } from 'node:crypto';
import { GraphQLError } from 'graphql';
import type { HostedIssue, IssueBoard } from '../board/issue-board.ts';
import type { TrackerSettings } from '../board/loopback-tracker.ts';
import { commentView, issueView, ORGANIZATION, STATES, stateOfId, TEAM, VIEWER } from './linear-views.ts';

export interface LinearSettings extends TrackerSettings {
  /** Status of answers with errors: Linear uses both. */
  errorStatus: 200 | 400;
  /** Deleted issues are gone at once, as after their time in the bin. */
  emptiesBin: boolean;
}

export interface LinearPlace {
  board: IssueBoard;
  settings: LinearSettings;
}

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Error in the form of Linear: its kind is in the extensions. */
export function linearError(message: string, type: string, code: string, presentable = message): GraphQLError {
  const extensions = { type, code, statusCode: 400, userError: true, userPresentableMessage: presentable };
  return new GraphQLError(message, { extensions });
}

interface IssueInput {
  id?: string;
  teamId?: string;
  title?: string;
  description?: string;
  priority?: number;
  stateId?: string;
}

export function resolversOf(place: LinearPlace) {
  const { board, settings } = place;
  const mayChange = () => {
    if (settings.isReadOnly) throw linearError('Forbidden', 'forbidden', 'FORBIDDEN', 'You do not have write access.');
  };
  return {
    viewer: VIEWER,
    team({ id }: { id: string }) {
      if (settings.isHidden || (id !== TEAM.id && id !== TEAM.key)) throw missing('Team');
      return { ...TEAM, organization: ORGANIZATION };
    },
    issue: ({ id }: { id: string }) => issueView(present(place, id)),
    issues: (query: IssuesQuery) => listIssues(place, query),
    comment({ id }: { id: string }) {
      const comment = board.issues.flatMap(({ comments }) => comments).find(({ uid }) => uid === id);
      if (comment === undefined) throw missing('Comment');
      return commentView(comment);
    },
    workflowStates({
      filter = {},
    }: {
      filter?: { team?: { id?: { eq?: string } }; type?: { eq?: string; in?: string[] } };
    }) {
      const types = filter.type?.in ?? (filter.type?.eq === undefined ? undefined : [filter.type.eq]);
      const nodes = STATES.filter(({ type }) => types?.includes(type) ?? true).map((state) => ({
        ...state,
        team: TEAM,
      }));
      return { nodes, pageInfo: { hasNextPage: false, hasPreviousPage: false } };
    },
    issueCreate({ input }: { input: IssueInput }) {
      mayChange();
      if (settings.isHidden || input.teamId !== TEAM.id) throw missing('Team');
      if (settings.issuesDisabled) throw linearError('Team is retired', 'user error', 'USER_ERROR');
      const uid = newId(board, input.id);
      const { title = '', description = null, priority = 0 } = input;
      if (title.trim() === '') throw linearError('Argument Validation Error', 'invalid input', 'INPUT_ERROR');
      return payload(issueView(board.create({ uid, title, body: description, priority })));
    },
    issueUpdate({ id, input }: { id: string; input: IssueInput }) {
      mayChange();
      const issue = present(place, id);
      const state = input.stateId === undefined ? undefined : stateOfId(input.stateId);
      if (input.stateId !== undefined && state === undefined) throw missing('WorkflowState');
      board.change(issue, {
        ...(input.title === undefined ? {} : { title: input.title }),
        ...(input.description === undefined ? {} : { body: input.description }),
        ...(state === undefined ? {} : { state }),
      });
      return payload(issueView(issue));
    },
    commentCreate({ input }: { input: { id?: string; issueId?: string; body?: string } }) {
      mayChange();
      const issue = present(place, input.issueId ?? '');
      const uid = newId(board, input.id);
      return { success: true, lastSyncId: 1, comment: commentView(board.comment(issue, input.body ?? '', uid)) };
    },
  };
}

/** Takes the id that a client chose, once. */
function newId(board: IssueBoard, id: string = randomUUID()): string {
  if (!UUID_V4.test(id))
    throw linearError('Argument Validation Error', 'invalid input', 'INPUT_ERROR', 'id must be a UUID.');
  const used = board.issues.flatMap(({ uid, comments }) => [uid, ...comments.map((comment) => comment.uid)]);
  if (used.includes(id)) throw linearError('Entity with this id already exists', 'invalid input', 'INPUT_ERROR');
  return id;
}

function payload(issue: ReturnType<typeof issueView>) {
  return { success: true, lastSyncId: 1, issue };
}

function missing(kind: string): GraphQLError {
  return linearError(`Entity not found: ${kind}`, 'invalid input', 'INPUT_ERROR', `Could not find referenced ${kind}.`);
}

function present({ board, settings }: LinearPlace, id: string): HostedIssue {
  const issue = board.issues.find((each) => each.uid === id || issueView(each).identifier === id);
  if (issue === undefined || settings.isHidden || (issue.gone === 'deleted' && settings.emptiesBin))
    throw missing('Issue');
  return issue;
}

interface IssuesQuery {
  filter?: { team?: { id?: { eq?: string } }; updatedAt?: { gte?: string } };
  first?: number;
  after?: string | null;
  includeArchived?: boolean;
}

/** Lists issues, the latest change first. */
function listIssues(
  { board, settings }: LinearPlace,
  { filter = {}, first = 50, after, includeArchived }: IssuesQuery,
) {
  if (settings.isHidden) throw missing('Team');
  const sinceMs = Date.parse(filter.updatedAt?.gte ?? '1970-01-01');
  const found = board.issues
    .filter((issue) => issue.gone !== 'deleted' || (includeArchived === true && !settings.emptiesBin))
    .filter((issue) => issue.updatedAtMs >= sinceMs && issueView(issue).team.id === (filter.team?.id?.eq ?? TEAM.id))
    .toSorted((one, other) => other.updatedAtMs - one.updatedAtMs || other.number - one.number);
  const start = after == null ? 0 : found.findIndex(({ uid }) => uid === after) + 1;
  const nodes = found.slice(start, start + first);
  const pageInfo = {
    ...{ hasNextPage: start + first < found.length, hasPreviousPage: start > 0 },
    ...{ startCursor: nodes[0]?.uid ?? null, endCursor: nodes.at(-1)?.uid ?? null },
  };
  return { nodes: nodes.map(issueView), pageInfo };
}
