import type { Severity } from '@clew/contracts';
import type { ExternalIssue, IssueReading, PresentState, TargetState } from '../tracker/issue-tracker.ts';
import type { LinearIssue } from './linear-answers.ts';

/** State of a work item: by the type of the state, which teams cannot change. */
export function linearState({ name, type }: LinearIssue['state']): PresentState {
  switch (type) {
    case 'started':
      return { kind: 'in_progress' };
    case 'completed':
      return { kind: 'done', reason: 'completed' };
    case 'duplicate':
      return { kind: 'done', reason: 'duplicate' };
    case 'canceled':
      // Before duplicates had a type, they had a state of this one.
      return { kind: 'done', reason: /duplicate/i.test(name) ? 'duplicate' : 'cancelled' };
    default:
      return { kind: 'open' };
  }
}

export function linearReading(issue: LinearIssue): IssueReading {
  if (issue.trashed === true) return { kind: 'gone', externalId: issue.id, reason: 'deleted' };
  return { kind: 'present', issue: linearIssue(issue) };
}

export function linearIssue(issue: LinearIssue): ExternalIssue {
  const { id: externalId, identifier: key, url, title, updatedAt: updatedAtMs } = issue;
  return { externalId, key, url, title, state: linearState(issue.state), updatedAtMs };
}

/** Types of states for a target, the best first. */
export const STATE_TYPES: Readonly<Record<TargetState, readonly string[]>> = {
  open: ['unstarted', 'backlog', 'triage'],
  in_progress: ['started'],
  completed: ['completed'],
  not_planned: ['canceled'],
};

const PRIORITIES: Readonly<Record<Severity, number>> = { critical: 1, high: 2, medium: 3, low: 4, info: 0 };

export function linearPriority(severity: Severity): number {
  return PRIORITIES[severity];
}
