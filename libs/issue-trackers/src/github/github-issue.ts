import type { DoneReason, ExternalIssue, PresentState } from '../tracker/issue-tracker.ts';
import type { GitHubIssue } from './github-answers.ts';
import { gitHubExternalId, type GitHubReference } from './github-reference.ts';

const REASONS: Readonly<Record<string, DoneReason>> = { not_planned: 'not_planned', duplicate: 'duplicate' };

/** State of a work item. Issues closed before GitHub knew reasons have none: they count as completed. */
export function gitHubState({ state, state_reason }: Pick<GitHubIssue, 'state' | 'state_reason'>): PresentState {
  return state === 'open' ? { kind: 'open' } : { kind: 'done', reason: REASONS[state_reason ?? ''] ?? 'completed' };
}

/** Returns the issue, or undefined if its repository is not named in a way that is known. */
export function gitHubIssue(issue: GitHubIssue): ExternalIssue | undefined {
  const reference = referenceOf(issue);
  if (reference === undefined) return undefined;
  const externalId = gitHubExternalId(reference);
  return {
    ...{ externalId, key: externalId, url: issue.html_url, title: issue.title },
    ...{ state: gitHubState(issue), updatedAtMs: issue.updated_at },
  };
}

function referenceOf({ repository_url, number }: GitHubIssue): GitHubReference | undefined {
  const [repo, owner, folder] = repository_url.split('/').reverse();
  if (folder !== 'repos' || owner === undefined || repo === undefined) return undefined;
  return { owner, repo, number };
}
