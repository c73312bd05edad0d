import type { FindingActivity } from '@clew/contracts';
import { newId } from '@clew/kernel';
import type { FindingMove } from '../finding.ts';

/** Entry in the activity of a Finding: a change or a comment, and its actor. */
export type Activity = FindingActivity & { projectId: string };

export type Actor = FindingActivity['actor'];

/** Actor of changes that nobody requested: the service itself. */
export const OWN_ACTOR: Actor = { kind: 'service', id: 'diagnostics-svc' };

export function newActivity(
  finding: { projectId: string; id: string },
  what: Pick<FindingActivity, 'kind'> & Partial<Pick<FindingActivity, 'from' | 'to' | 'text'>>,
  by: { actor: Actor; nowMs: number },
): Activity {
  const { kind, from = null, to = null, text = null } = what;
  const { projectId, id: findingId } = finding;
  return { id: newId('act'), projectId, findingId, kind, from, to, text, actor: by.actor, createdAt: by.nowMs };
}

/** Activities caused by conversations or by time: a regression, or the end of a snooze. */
export function broughtAbout(moves: readonly FindingMove[], nowMs: number): Activity[] {
  const by = { actor: OWN_ACTOR, nowMs };
  return moves.flatMap(({ before, after }) => {
    if (before === undefined) return [];
    const { resolutionStatus: from, snooze } = before;
    const isOther = from !== after.resolutionStatus;
    const hasEnded = snooze !== null && after.snooze === null;
    return [
      ...(isOther ? [newActivity(after, { kind: 'resolution', from, to: after.resolutionStatus }, by)] : []),
      ...(hasEnded ? [newActivity(after, { kind: 'snooze', from: JSON.stringify(snooze) }, by)] : []),
    ];
  });
}
