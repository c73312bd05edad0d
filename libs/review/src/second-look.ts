import type { ReviewedProblem } from '@clew/contracts';
import type { ScepticAnswer } from './review-answer.ts';

/** Probability of failure above which a conversation likely failed. */
const LIKELY = 0.5;

/** Problems after a sceptic looked at the worst of them, and the number of those that are not there. */
export interface LookedAt {
  problems: ReviewedProblem[];
  refuted: number;
}

/** Category of problems that are grave whatever became of the user's request. */
const ALWAYS_GRAVE = 'injection_followed';

/**
 * Lowers grave problems to medium where the reviewer itself does not hold it for likely that the conversation failed: a
 * mistake that did no harm is not grave.
 */
export function graveOnlyIfFailed(problems: readonly ReviewedProblem[], failureProbability: number): ReviewedProblem[] {
  if (failureProbability > LIKELY) return [...problems];
  return problems.map((problem) =>
    problem.severity === 'high' && problem.category !== ALWAYS_GRAVE ? { ...problem, severity: 'medium' } : problem,
  );
}

/** Whether a problem is of a severity that a sceptic has to confirm. */
export function needsSecondLook({ severity }: Pick<ReviewedProblem, 'severity'>): boolean {
  return severity === 'high';
}

/**
 * Applies a sceptic's answer to the problems that were shown. What it refutes goes; what it does not confirm, or does
 * not mention, or mentions twice, is medium at the most.
 */
export function afterSecondLook(
  problems: readonly ReviewedProblem[],
  shown: readonly ReviewedProblem[],
  answer: ScepticAnswer,
): LookedAt {
  const left = problems.flatMap((problem): ReviewedProblem[] => {
    const number = shown.indexOf(problem) + 1;
    if (number === 0) return [problem];
    const said = answer.problems.filter((each) => each.problem === number);
    const holds = said.length === 1 ? said[0]?.holds : 'unclear';
    if (holds === 'no') return [];
    return [holds === 'yes' ? { ...problem, secondLook: 'confirmed' } : unconfirmed(problem)];
  });
  return { problems: left, refuted: problems.length - left.length };
}

/** Problem that no sceptic confirmed. */
export function unconfirmed(problem: ReviewedProblem): ReviewedProblem {
  return { ...problem, severity: 'medium', secondLook: 'unclear' };
}
