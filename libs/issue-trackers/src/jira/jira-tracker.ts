import type { Clock } from '@clew/kernel';
import type { TrackerFetch } from '../exchange/send.ts';
import { textsOf, toAdf } from '../text/adf.ts';
import { withReference } from '../text/marked.ts';
import { issueTitle } from '../text/title.ts';
import { isIn } from '../tracker/is-in.ts';
import type { ConnectionTo } from '../tracker/connection.ts';
import type { TrackerAdapter } from '../tracker/issue-tracker.ts';
import { done, mapDone, refused, type Outcome } from '../tracker/outcome.ts';
import { JiraComment, JiraComments, JiraTransitions } from './jira-answers.ts';
import { createJiraApi } from './jira-api.ts';
import { createJiraCreator } from './jira-creator.ts';
import { transitionTo } from './jira-issue.ts';
import { createJiraLists } from './jira-lists.ts';
import { createJiraReader } from './jira-reader.ts';

const PAGE_SIZE = 50;
const MAX_COMMENT_PAGES = 20;

export function createJiraTracker(connection: ConnectionTo<'jira'>, fetch: TrackerFetch, clock: Clock): TrackerAdapter {
  const api = createJiraApi(connection, fetch, clock);
  const reader = createJiraReader(api, connection.destination);

  async function hasComment(externalId: string, marker: string, signal: AbortSignal): Promise<Outcome<boolean>> {
    for (let page = 0; page < MAX_COMMENT_PAGES; page += 1) {
      const query = { startAt: page * PAGE_SIZE, maxResults: PAGE_SIZE, orderBy: 'created' };
      const requestOf = (path: string) => api.request('read', 'GET', `${path}/comment`, { query });
      const answered = await reader.ofIssue(externalId, requestOf, signal);
      if (answered.kind !== 'done') return answered;
      const listed = api.checked(answered.value, JiraComments, 'read');
      if (listed.kind !== 'done') return listed;
      if (listed.value.comments.some(({ body }) => textsOf(body).includes(marker))) return done(true);
      if (listed.value.comments.length < PAGE_SIZE) return done(false);
    }
    return refused('content', 'The issue has too many comments to look for one');
  }

  return {
    ...createJiraCreator(api, connection.destination),
    read: (externalId, signal) => reader.read(externalId, signal),
    async update(externalId, draft, marker, signal) {
      const fields = { summary: issueTitle(draft.title), description: toAdf(withReference(draft.body, marker)) };
      const requestOf = (path: string) => api.request('change', 'PUT', path, { body: { fields } });
      return mapDone(await reader.ofIssue(externalId, requestOf, signal), () => null);
    },
    async setState(externalId, target, signal) {
      const issue = await reader.readPresent(externalId, signal);
      if (issue.kind !== 'done') return issue;
      if (isIn(issue.value.state, target)) return done({ changed: false });
      const listOf = (path: string) => api.request('read', 'GET', `${path}/transitions`);
      const answered = await reader.ofIssue(externalId, listOf, signal);
      if (answered.kind !== 'done') return answered;
      const listed = api.checked(answered.value, JiraTransitions, 'read');
      if (listed.kind !== 'done') return listed;
      const transition = transitionTo(target, listed.value.transitions);
      if (transition === undefined) {
        return refused('state', 'The workflow of this issue has no transition to the wanted state');
      }
      const body = { transition: { id: transition.id } };
      const moveOf = (path: string) => api.request('change', 'POST', `${path}/transitions`, { body });
      return mapDone(await reader.ofIssue(externalId, moveOf, signal), () => ({ changed: true }));
    },
    async comment(externalId, { body, marker, mayExist }, signal) {
      if (mayExist) {
        const exists = await hasComment(externalId, marker, signal);
        if (exists.kind !== 'done' || exists.value) return mapDone(exists, () => ({ created: false }));
      }
      const comment = { body: toAdf(withReference(body, marker)) };
      const requestOf = (path: string) => api.request('change', 'POST', `${path}/comment`, { body: comment });
      const answered = await reader.ofIssue(externalId, requestOf, signal);
      if (answered.kind !== 'done') return answered;
      return mapDone(api.checked(answered.value, JiraComment, 'change'), () => ({ created: true }));
    },
    ...createJiraLists(api, connection.destination, clock),
  };
}
