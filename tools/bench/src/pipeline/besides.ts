import { meanOf, round, sumOf, varianceOf } from '../support/statistics.ts';

/** Processor milliseconds of a conversation, by process. */
export type UsageEach = Readonly<Record<string, number>>;

/** Ratio of two kinds of runs, with its 95% interval. */
export interface Ratio {
  ratio: number;
  interval: [number, number];
}

/**
 * Processes that a Dataset gives nothing to do. What they need changes with the speed of the machine alone, which by
 * itself changes more than a Dataset adds.
 */
const UNTOUCHED = ['telemetry-ingest', 'telemetry-warehouse', 'knowledge-svc', 'model-runtime-svc', 'gateway'];

/** Compares the runs with Datasets that collect with those without, if there are several of both. */
export function compareDatasets(runs: readonly { datasets: number; processorMsEachOf: UsageEach }[]) {
  const usagesOf = (some: typeof runs) => some.map(({ processorMsEachOf }) => processorMsEachOf);
  const without = usagesOf(runs.filter(({ datasets }) => datasets === 0));
  const withSome = usagesOf(runs.filter(({ datasets }) => datasets > 0));
  if (without.length < 2 || withSome.length < 2) return {};
  const ratio = round(meanOf(withSome.map(totalOf)) / meanOf(without.map(totalOf)), 3);
  return { datasets: { ratio, besidesUntouched: ratioBesidesUntouched(without, withSome) } };
}

/** Compares what runs with and without a Dataset need, each as a multiple of what its untouched processes need. */
export function ratioBesidesUntouched(without: readonly UsageEach[], withOne: readonly UsageEach[]): Ratio {
  const [off, on] = [without.map(logOfMultiple), withOne.map(logOfMultiple)];
  return ratioOfLogs(meanOf(on) - meanOf(off), varianceOf(off) / off.length + varianceOf(on) / on.length);
}

/** Ratio from the mean of its logarithm, and the variance of that mean. */
export function ratioOfLogs(mean: number, variance: number): Ratio {
  const half = 1.96 * Math.sqrt(variance);
  const [low, high] = [mean - half, mean + half].map((each) => round(Math.exp(each), 3)) as [number, number];
  return { ratio: round(Math.exp(mean), 3), interval: [low, high] };
}

/** Sum over all processes. */
export function totalOf(usage: UsageEach): number {
  return sumOf(Object.values(usage));
}

function logOfMultiple(usage: UsageEach): number {
  return Math.log(totalOf(usage) / sumOf(UNTOUCHED.map((name) => usage[name] ?? 0)));
}
