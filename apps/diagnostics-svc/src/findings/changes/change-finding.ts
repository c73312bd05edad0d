import type { FindingChange } from '@clew/contracts';
import { isListed, type FindingHead } from '../finding.ts';
import { newActivity, type Activity, type Actor } from '../activity/index.ts';
import { moved } from '../resolution/resolution.ts';
import { reviewed } from '../review/review.ts';
import { snoozed } from '../snooze.ts';
import type { WorkItemView } from '../work-item-view.ts';

export interface ChangeContext {
  workItem: WorkItemView | null;
  actor: Actor;
  nowMs: number;
}

/** Finding after a person's change, with the activities to record. */
export interface ChangedByPeople {
  /** Same object as before if nothing differs. */
  head: FindingHead;
  activities: Activity[];
}

/** Applies one change to a Finding. Throws for a change that the table of states forbids. */
export function changeFinding(head: FindingHead, change: FindingChange, context: ChangeContext): ChangedByPeople {
  const { nowMs } = context;
  const next = withChange(head, change, context);
  if (next === head) return { head, activities: [] };
  const changed = withNewState(head, next, nowMs);
  return { head: changed, activities: activitiesOf(head, changed, context) };
}

/** Finding with a new state, and with the fields that depend on it. */
export function withNewState(before: FindingHead, state: FindingHead, nowMs: number): FindingHead {
  if (state === before) return before;
  const { sequence, revision } = before;
  return { ...state, sequence: sequence + 1, revision: revision + 1, listed: isListed(state), updatedAt: nowMs };
}

function withChange(head: FindingHead, change: FindingChange, { workItem, nowMs }: ChangeContext): FindingHead {
  const { reviewStatus, resolutionStatus, assignee, snooze } = change;
  if (reviewStatus !== undefined) return reviewed(head, { to: reviewStatus, workItem, nowMs });
  if (resolutionStatus !== undefined) return moved(head, { to: resolutionStatus, workItem, nowMs });
  if (assignee !== undefined) return assignee === head.assignee ? head : { ...head, assignee };
  return snooze === undefined ? head : snoozed(head, snooze, nowMs);
}

function activitiesOf(before: FindingHead, after: FindingHead, by: ChangeContext): Activity[] {
  const values = (head: FindingHead) => ({
    review: head.reviewStatus,
    resolution: head.resolutionStatus,
    assignee: head.assignee,
    snooze: head.snooze && JSON.stringify(head.snooze),
  });
  const [from, to] = [values(before), values(after)];
  const kinds = ['review', 'resolution', 'assignee', 'snooze'] as const;
  return kinds
    .filter((kind) => from[kind] !== to[kind])
    .map((kind) => newActivity(after, { kind, from: from[kind], to: to[kind] }, by));
}
