import { interval, resampled, grouped, rounded } from './resample.ts';

/** Blamed step, and the agent that took it. */
export interface Blame {
  readonly step: number;
  readonly agent: string;
}

/** Labelled failure, with the blamed steps, best guess first. */
export interface BlamedFailure {
  readonly taskId: string;
  readonly mistakeStep: number;
  readonly mistakeAgent: string;
  readonly blamed: readonly Blame[];
}

const RESAMPLES = 2000;
const FIRST = 3;

/** Shares of failures in which the blamed step or agent is the labelled one; a failure without blame is a miss. */
export function stepFigures(failures: readonly BlamedFailure[]): object {
  const shareOf = (isHit: (failure: BlamedFailure) => boolean) => (items: readonly BlamedFailure[]) =>
    items.filter(isHit).length / items.length;
  const figure = (isHit: (failure: BlamedFailure) => boolean) => {
    const tasks = grouped(failures, ({ taskId }) => taskId);
    return {
      share: rounded(shareOf(isHit)(failures)),
      interval: interval(resampled(tasks, shareOf(isHit), RESAMPLES)),
    };
  };
  return {
    exact: figure(({ blamed, mistakeStep }) => blamed[0]?.step === mistakeStep),
    withinOne: figure(({ blamed, mistakeStep }) => Math.abs((blamed[0]?.step ?? Infinity) - mistakeStep) <= 1),
    topThree: figure(({ blamed, mistakeStep }) => blamed.slice(0, FIRST).some(({ step }) => step === mistakeStep)),
    agent: figure(({ blamed, mistakeAgent }) => blamed[0]?.agent === mistakeAgent),
  };
}
