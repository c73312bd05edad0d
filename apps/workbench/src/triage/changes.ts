import type { Api } from '@clew/sdk';

/** Change of one or many Findings, as the API takes it. */
export type FindingChange = Api.FindingChange;

/** Members of a Finding that a change sets. */
export type Changeable = Pick<Api.Finding, 'id' | 'reviewStatus' | 'resolutionStatus' | 'assignee' | 'snooze'>;

export type Outcome = Api.UpdateFindingsResponse['results'][number];

/** Finding as it will be after a change, until the API says how it is. */
export function changed<F extends Changeable>(finding: F, change: FindingChange, nowMs: number): F {
  const { snooze, ...rest } = change;
  return {
    ...finding,
    ...rest,
    ...(snooze === undefined ? {} : { snooze: snooze === null ? null : snoozeOf(snooze, nowMs) }),
  };
}

function snoozeOf({ until, furtherOccurrences }: Api.NewSnooze, nowMs: number): Api.FindingSnooze {
  return { since: nowMs, until: until ?? null, furtherOccurrences: furtherOccurrences ?? null };
}

/** Change of some Findings. */
export interface Step {
  readonly findingIds: readonly string[];
  readonly change: FindingChange;
}

/**
 * Steps that undo a change. Findings that had different values before are changed apart. States that only happen,
 * awaiting verification and regressed, cannot be set again: undefined.
 */
export function inverseOf(before: readonly Changeable[], change: FindingChange): Step[] | undefined {
  const steps = new Map<string, { findingIds: string[]; change: FindingChange }>();
  for (const finding of before) {
    const inverse = inverseChange(finding, change);
    if (inverse === undefined) return undefined;
    const name = JSON.stringify(inverse);
    const step = steps.get(name) ?? { findingIds: [], change: inverse };
    step.findingIds.push(finding.id);
    steps.set(name, step);
  }
  return [...steps.values()];
}

function inverseChange(finding: Changeable, change: FindingChange): FindingChange | undefined {
  const { resolutionStatus, snooze } = finding;
  const isSettable = resolutionStatus === 'resolved' || resolutionStatus === 'unresolved';
  if (change.resolutionStatus !== undefined && !isSettable) return undefined;
  return {
    ...(change.reviewStatus === undefined ? {} : { reviewStatus: finding.reviewStatus }),
    ...(change.resolutionStatus === undefined || !isSettable ? {} : { resolutionStatus }),
    ...(change.assignee === undefined ? {} : { assignee: finding.assignee }),
    ...(change.snooze === undefined ? {} : { snooze: snooze === null ? null : newSnoozeOf(snooze) }),
  };
}

function newSnoozeOf({ until, furtherOccurrences }: Api.FindingSnooze): Api.NewSnooze {
  return {
    ...(until === null ? {} : { until }),
    ...(furtherOccurrences === null ? {} : { furtherOccurrences }),
  };
}

const VERBS: readonly (readonly [(change: FindingChange) => boolean, string])[] = [
  [({ reviewStatus }) => reviewStatus === 'confirmed', 'confirmed'],
  [({ reviewStatus }) => reviewStatus === 'dismissed', 'dismissed'],
  [({ reviewStatus }) => reviewStatus === 'unreviewed', 'put back to review'],
  [({ resolutionStatus }) => resolutionStatus === 'resolved', 'resolved'],
  [({ resolutionStatus }) => resolutionStatus === 'unresolved', 'opened again'],
  [({ assignee }) => assignee === null, 'assigned to nobody'],
  [({ assignee }) => assignee !== undefined, 'assigned'],
  [({ snooze }) => snooze === null, 'woken'],
  [({ snooze }) => snooze !== undefined, 'snoozed'],
];

/** Word for what a change does: `confirmed`. */
export function verbOf(change: FindingChange): string {
  return VERBS.find(([matches]) => matches(change))?.[1] ?? 'changed';
}

/** Sums up the results of a change: `97 confirmed, 2 as before, 1 refused`. */
export function summaryOf(outcomes: readonly Outcome[], change: FindingChange): string {
  const number = (outcome: Outcome['outcome']) => outcomes.filter((each) => each.outcome === outcome).length;
  const parts = [
    [number('updated'), verbOf(change)],
    [number('unchanged'), 'as before'],
    [number('refused'), 'refused'],
  ] as const;
  const told = parts.filter(([many]) => many > 0).map(([many, word]) => `${many} ${word}`);
  return told.length === 0 ? 'Nothing changed' : told.join(', ');
}

/** Choices for how long a Finding is put off. */
export const SNOOZES = [
  { id: 'day', label: 'For a day', hours: 24 },
  { id: 'week', label: 'For a week', hours: 168 },
  { id: 'month', label: 'For 30 days', hours: 720 },
  { id: 'one', label: 'Until it occurs again', occurrences: 1 },
  { id: 'ten', label: 'Until 10 more conversations show it', occurrences: 10 },
] as const;

/** Snooze of a choice; null wakes the Finding. */
export function snoozeOfChoice(id: string, nowMs: number): Api.NewSnooze | null {
  const choice = SNOOZES.find((each) => each.id === id);
  if (choice === undefined) return null;
  return 'hours' in choice ? { until: nowMs + choice.hours * 3_600_000 } : { furtherOccurrences: choice.occurrences };
}
