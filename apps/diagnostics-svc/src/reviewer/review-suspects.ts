import { MAX_SUSPECTS, type ReviewedProblem, type Suspect } from '@clew/contracts';

/** Share of its certainty that each further suspect has. */
const SHARE_OF_NEXT = 0.5;
const MAX_BECAUSE = 1_000;

/**
 * Steps where the trouble began, as a reviewer sees it: the decisive one first, then those of the other problems, the
 * worst first. Only a step with a problem, and so with quotes, is a suspect.
 */
export function reviewSuspects(
  problems: readonly ReviewedProblem[],
  { decisiveStep, failureProbability }: { decisiveStep: number | null; failureProbability: number },
): Suspect[] {
  const ordered = problems.toSorted(
    (one, other) => Number(other.stepIndex === decisiveStep) - Number(one.stepIndex === decisiveStep),
  );
  const steps = new Map<number, ReviewedProblem>();
  for (const problem of ordered) if (!steps.has(problem.stepIndex)) steps.set(problem.stepIndex, problem);
  return [...steps.values()].slice(0, MAX_SUSPECTS).map(({ stepIndex, agent, sentence, quotes }, at) => ({
    ...{ stepIndex, agent: agent ?? 'assistant', score: failureProbability * SHARE_OF_NEXT ** at },
    because: sentence.slice(0, MAX_BECAUSE),
    quotes: quotes.filter((quote) => quote.stepIndex === stepIndex).flatMap((quote) => quote.quotes),
  }));
}
