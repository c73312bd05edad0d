import type { ExternalIssue, IssueReading, PresentState } from '../tracker/issue-tracker.ts';
import type { GitLabIssue } from './gitlab-answers.ts';

/** Place of an issue: `project#iid` as one text, where the project is an id, or the path with all groups. */
export interface GitLabReference {
  projectId: string;
  iid: number;
}

const EXTERNAL_ID = /^([A-Za-z0-9_][\w./-]{0,499})#([1-9]\d{0,14})$/;

export function gitLabExternalId({ projectId, iid }: GitLabReference): string {
  return `${projectId}#${iid}`;
}

export function parseGitLabExternalId(text: string): GitLabReference | undefined {
  const [, projectId, iid] = EXTERNAL_ID.exec(text) ?? [];
  return projectId === undefined ? undefined : { projectId, iid: Number(iid) };
}

/** Reads an issue. One that was moved to another project stays behind, closed. */
export function gitLabReading(issue: GitLabIssue): IssueReading {
  const externalId = gitLabExternalId({ projectId: String(issue.project_id), iid: issue.iid });
  if (issue.moved_to_id != null) return { kind: 'gone', externalId, reason: 'moved' };
  return { kind: 'present', issue: gitLabIssue(issue) };
}

export function gitLabIssue(issue: GitLabIssue): ExternalIssue {
  const externalId = gitLabExternalId({ projectId: String(issue.project_id), iid: issue.iid });
  return {
    ...{ externalId, key: issue.references?.full ?? externalId, url: issue.web_url, title: issue.title },
    ...{ state: gitLabState(issue), updatedAtMs: issue.updated_at },
  };
}

/** State of a work item. GitLab keeps no reason, except that an issue was closed as a duplicate. */
export function gitLabState({ state, _links }: Pick<GitLabIssue, 'state' | '_links'>): PresentState {
  if (state === 'opened') return { kind: 'open' };
  return { kind: 'done', reason: _links?.closed_as_duplicate_of == null ? 'completed' : 'duplicate' };
}
