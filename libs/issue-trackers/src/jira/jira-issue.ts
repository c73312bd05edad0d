import type { DoneReason, ExternalIssue, PresentState, TargetState } from '../tracker/issue-tracker.ts';
import type { JiraIssue, JiraTransition } from './jira-answers.ts';

/** Fields that are read of an issue. */
export const FIELDS = ['summary', 'status', 'resolution', 'updated', 'created', 'labels'] as const;

const REASONS: readonly (readonly [RegExp, DoneReason])[] = [
  [/duplicate/i, 'duplicate'],
  [/cancel|abandon|withdrawn/i, 'cancelled'],
  [
    /won.{0,2}t|will not|reject|declin|cannot reproduce|can.{0,2}t reproduce|not a bug|invalid|incomplete|obsolete/i,
    'not_planned',
  ],
];

/**
 * State of a work item: by the category of the status, which exists in every workflow and language; why an issue is
 * done, by the English names that Jira comes with.
 */
export function jiraState({ status, resolution }: Pick<JiraIssue['fields'], 'status' | 'resolution'>): PresentState {
  const category = status.statusCategory?.key;
  if (category === 'indeterminate') return { kind: 'in_progress' };
  if (category !== 'done') return { kind: 'open' };
  return { kind: 'done', reason: reasonIn(resolution?.name ?? '') ?? reasonIn(status.name) ?? 'completed' };
}

export function jiraIssue({ id, key, fields }: JiraIssue, url: string): ExternalIssue {
  const { summary: title, updated: updatedAtMs } = fields;
  return { externalId: id, key, url, title, state: jiraState(fields), updatedAtMs };
}

function reasonIn(name: string): DoneReason | undefined {
  return REASONS.find(([pattern]) => pattern.test(name))?.[1];
}

const CATEGORIES: Readonly<Record<TargetState, readonly string[]>> = {
  // Workflows without a way back to the start lead a reopened issue into work.
  open: ['new', 'indeterminate'],
  in_progress: ['indeterminate'],
  completed: ['done'],
  not_planned: ['done'],
};

/** Chooses the transition that leads to a state; undefined if none is known to. */
export function transitionTo(target: TargetState, transitions: readonly JiraTransition[]): JiraTransition | undefined {
  const isUnplanned = ({ name, to }: JiraTransition) =>
    reasonIn(to?.name ?? '') !== undefined || reasonIn(name) !== undefined;
  for (const category of CATEGORIES[target]) {
    const fitting = transitions.filter(({ to }) => to?.statusCategory?.key === category);
    const preferred = fitting.find((transition) => isUnplanned(transition) === (target === 'not_planned'));
    if (preferred !== undefined) return preferred;
    if (target === 'not_planned' && fitting[0] !== undefined) return fitting[0];
  }
  return undefined;
}
