import type { ConversationSnapshot, DiagnosedConversation, DiagnosedProblem, RefusalReason } from '@clew/contracts';
import type { Mistake } from './mistake.ts';
import { mistakenStepOf } from './mistaken-step.ts';

const GRAVE = new Set(['critical', 'high']);

/**
 * Finds the mistake to correct in a conversation that failed: the earliest one that a person has confirmed; without any,
 * the earliest of high severity that is open. What a person confirmed did happen, also if it has been resolved since; a
 * problem that nobody confirmed counts only while it is not called resolved.
 */
export function graveMistakeIn(
  snapshot: ConversationSnapshot,
  { problems }: DiagnosedConversation,
): Mistake | RefusalReason {
  const confirmed = problems.filter(({ reviewStatus }) => reviewStatus === 'confirmed');
  const grave = problems.filter(isGraveAndOpen);
  if (confirmed.length + grave.length === 0) return 'no_grave_problem';
  return (
    earliest(snapshot, confirmed, 'confirmed_finding') ??
    earliest(snapshot, grave, 'grave_finding') ??
    'no_step_to_correct'
  );
}

function isGraveAndOpen({ severity, reviewStatus, resolutionStatus }: DiagnosedProblem): boolean {
  return GRAVE.has(severity) && reviewStatus === 'unreviewed' && resolutionStatus !== 'resolved';
}

function earliest(
  { messages }: ConversationSnapshot,
  problems: readonly DiagnosedProblem[],
  because: Mistake['because'],
): Mistake | undefined {
  const located = problems.flatMap((problem) => {
    const at = mistakenStepOf(messages, problem);
    return at === undefined ? [] : [{ at, problem }];
  });
  const at = Math.min(...located.map((each) => each.at));
  const message = messages[at];
  if (message === undefined) return undefined;
  const shown = located.filter((each) => each.at === at).map(({ problem }) => problem);
  return { because, at, message, problems: shown.toSorted((one, other) => (one.findingId < other.findingId ? -1 : 1)) };
}
