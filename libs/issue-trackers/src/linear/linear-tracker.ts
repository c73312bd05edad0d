import type { Clock } from '@clew/kernel';
import type { TrackerFetch } from '../exchange/send.ts';
import { toMarkdown } from '../text/markdown.ts';
import { withReference } from '../text/marked.ts';
import { issueTitle } from '../text/title.ts';
import type { ConnectionTo } from '../tracker/connection.ts';
import type { IssueLink, TrackerAdapter } from '../tracker/issue-tracker.ts';
import { isIn } from '../tracker/is-in.ts';
import { done, mapDone, refused } from '../tracker/outcome.ts';
import {
  CommentData,
  CommentedData,
  CreatedData,
  StatesData,
  TeamData,
  UpdatedData,
  ViewerData,
  type LinearIssue,
} from './linear-answers.ts';
import { createLinearApi, type LinearApi } from './linear-api.ts';
import * as documents from './linear-documents.ts';
import { linearIdOf } from './linear-id.ts';
import { linearIssue, linearPriority, linearReading, STATE_TYPES } from './linear-issue.ts';
import { createLinearLists } from './linear-lists.ts';
import { createLinearReader } from './linear-reader.ts';

const NO_TEAM = refused('destination', 'No team is named');

export function createLinearTracker(
  connection: ConnectionTo<'linear'>,
  fetch: TrackerFetch,
  clock: Clock,
): TrackerAdapter {
  const api = createLinearApi(connection, fetch, clock);
  const teamId = connection.destination?.teamId;
  const reader = createLinearReader(api);
  const { readIssue, readPresent } = reader;

  async function update(id: string, input: object, signal: AbortSignal) {
    const variables = { id, input };
    return await api.send({ purpose: 'change', query: documents.UPDATE_ISSUE, variables }, UpdatedData, signal);
  }

  return {
    test: async (signal) => await test(api, teamId, signal),
    async create(draft, marker, signal) {
      if (teamId === undefined) return NO_TEAM;
      const input = {
        ...{ id: linearIdOf(marker), teamId, title: issueTitle(draft.title) },
        ...{ description: toMarkdown(withReference(draft.body, marker)), priority: linearPriority(draft.severity) },
      };
      const document = { purpose: 'change', query: documents.CREATE_ISSUE, variables: { input } } as const;
      const created = await api.send(document, CreatedData, signal);
      if (created.kind !== 'refused') return mapDone(created, ({ issueCreate }) => linkOf(issueCreate.issue));
      // An id that exists already is refused: the issue is then the one that was made before.
      const existing = await readIssue(input.id, signal);
      if (existing.kind !== 'done') return existing;
      return existing.value === null ? created : done(linkOf(existing.value));
    },
    async read(externalId, signal) {
      const found = await readIssue(externalId, signal);
      if (found.kind !== 'done') return found;
      if (found.value !== null) return done(linearReading(found.value));
      // A team that is hidden looks like a deleted issue in it.
      const team = teamId === undefined ? done(null) : await readTeam(api, teamId, 'read', signal);
      return mapDone(team, () => ({ kind: 'gone', externalId, reason: 'deleted' }));
    },
    async update(externalId, draft, marker, signal) {
      const issue = await readPresent(externalId, signal);
      if (issue.kind !== 'done') return issue;
      const description = toMarkdown(withReference(draft.body, marker));
      return mapDone(await update(externalId, { title: issueTitle(draft.title), description }, signal), () => null);
    },
    async setState(externalId, target, signal) {
      const issue = await readPresent(externalId, signal);
      if (issue.kind !== 'done') return issue;
      if (isIn(linearIssue(issue.value).state, target)) return done({ changed: false });
      const types = STATE_TYPES[target];
      const filter = { team: { id: { eq: issue.value.team.id } }, type: { in: types } };
      const states = await api.send(
        { purpose: 'read', query: documents.LIST_STATES, variables: { filter } },
        StatesData,
        signal,
      );
      if (states.kind !== 'done') return states;
      const nodes = states.value.workflowStates.nodes.toSorted(
        (one, other) => types.indexOf(one.type) - types.indexOf(other.type) || one.position - other.position,
      );
      if (nodes[0] === undefined) return refused('state', 'The team has no such state');
      return mapDone(await update(externalId, { stateId: nodes[0].id }, signal), () => ({ changed: true }));
    },
    async comment(externalId, { body, marker }, signal) {
      // A deleted issue takes comments until its time in the bin is over.
      const issue = await readPresent(externalId, signal);
      if (issue.kind !== 'done') return issue;
      const input = { id: linearIdOf(marker), issueId: issue.value.id, body: toMarkdown(body) };
      const document = { purpose: 'change', query: documents.CREATE_COMMENT, variables: { input } } as const;
      const commented = await api.send(document, CommentedData, signal);
      if (commented.kind !== 'refused') return mapDone(commented, () => ({ created: true }));
      const existing = { purpose: 'read', query: documents.READ_COMMENT, variables: { id: input.id } } as const;
      const found = await api.find(existing, CommentData, signal);
      if (found.kind !== 'done') return found;
      return found.value === null ? commented : done({ created: false });
    },
    ...createLinearLists(api, teamId, reader),
  };
}

function linkOf(issue: LinearIssue): IssueLink {
  const { externalId, key, url } = linearIssue(issue);
  return { externalId, key, url };
}

async function readTeam(api: LinearApi, id: string, purpose: 'read' | 'test', signal: AbortSignal) {
  return await api.send({ purpose, query: documents.READ_TEAM, variables: { id } }, TeamData, signal);
}

async function test(api: LinearApi, teamId: string | undefined, signal: AbortSignal) {
  const viewer = await api.send({ purpose: 'test', query: documents.WHO }, ViewerData, signal);
  if (viewer.kind !== 'done') return viewer;
  const account = viewer.value.viewer.name;
  if (teamId === undefined) return done({ account, destination: null });
  return mapDone(await readTeam(api, teamId, 'test', signal), ({ team: { key, name, organization } }) => ({
    account,
    destination: { name: `${name} (${key})`, url: `https://linear.app/${organization.urlKey}/team/${key}` },
  }));
}
