import type { ExternalIssue, IssueReading } from '../tracker/issue-tracker.ts';
import { done, mapDone, refused, type Outcome } from '../tracker/outcome.ts';
import type { JiraDestination } from '../tracker/connection.ts';
import type { Answer, HttpRequest } from '../exchange/send.ts';
import { JiraIssue } from './jira-answers.ts';
import type { JiraApi } from './jira-api.ts';
import { FIELDS, jiraIssue } from './jira-issue.ts';

const NOT_AN_ISSUE = refused('content', 'This is not an issue of Jira');

export interface JiraReader {
  read(externalId: string, signal: AbortSignal): Promise<Outcome<IssueReading>>;
  readPresent(externalId: string, signal: AbortSignal): Promise<Outcome<ExternalIssue>>;
  /** Sends a request about an issue; a missing issue is read, to tell why. */
  ofIssue(externalId: string, requestOf: (path: string) => HttpRequest, signal: AbortSignal): Promise<Outcome<Answer>>;
}

export function createJiraReader(api: JiraApi, destination: JiraDestination | undefined): JiraReader {
  /** A project that is hidden answers like a deleted issue in it; only the destination's project is known. */
  async function gone(externalId: string, signal: AbortSignal): Promise<Outcome<IssueReading>> {
    const path = destination === undefined ? '/myself' : `/project/${destination.projectKey}`;
    const seen = await api.answer(api.request('read', 'GET', path), signal);
    return mapDone(seen, () => ({ kind: 'gone', externalId, reason: 'deleted' }));
  }

  const reader: JiraReader = {
    async read(externalId, signal) {
      const path = issuePath(externalId);
      if (path === undefined) return NOT_AN_ISSUE;
      const request = api.request('read', 'GET', path, { query: { fields: FIELDS.join(',') } });
      const answered = await api.answer(request, signal, [404]);
      if (answered.kind !== 'done') return answered;
      if (answered.value.status === 404) return await gone(externalId, signal);
      return mapDone(api.checked(answered.value, JiraIssue, 'read'), (issue) => ({
        kind: 'present',
        issue: jiraIssue(issue, api.urlOf(issue.key)),
      }));
    },
    async readPresent(externalId, signal) {
      const reading = await reader.read(externalId, signal);
      if (reading.kind !== 'done') return reading;
      return reading.value.kind === 'present'
        ? done(reading.value.issue)
        : refused('gone', `The issue was ${reading.value.reason} at Jira`);
    },
    async ofIssue(externalId, requestOf, signal) {
      const path = issuePath(externalId);
      if (path === undefined) return NOT_AN_ISSUE;
      const answered = await api.answer(requestOf(path), signal, [404]);
      if (answered.kind !== 'done' || answered.value.status !== 404) return answered;
      const read = await reader.readPresent(externalId, signal);
      return read.kind === 'done' ? refused('permission', 'Jira does not let these credentials do this') : read;
    },
  };
  return reader;
}

function issuePath(externalId: string): string | undefined {
  return /^(?:[1-9]\d{0,17}|[A-Z][A-Z0-9_]{0,99}-[1-9]\d{0,14})$/.test(externalId) ? `/issue/${externalId}` : undefined;
}
