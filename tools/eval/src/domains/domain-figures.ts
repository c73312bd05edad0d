import { causeFigures, isGrave, outcomeFigures, type Judged } from '../figures/judged.ts';
import { grouped, interval, resampled, rocAuc, rounded } from '../figures/resample.ts';
import type { Domain } from '../labelled/domains.ts';

/** Domain with the system's judgement of its conversations. */
export interface JudgedDomain extends Pick<Domain, 'name' | 'labels'> {
  readonly judged: readonly Judged[];
}

const RESAMPLES = 2000;

/**
 * Figures of each domain, the mean and the worst of the domains whose labels are outcomes of both kinds, and the shares
 * of gravely flagged conversations in all of these together.
 */
export function domainFigures(domains: readonly JudgedDomain[]): object {
  const withOutcomes = domains.filter((domain) => domain.labels === 'outcome' && hasBothOutcomes(domain));
  const aucs = withOutcomes.map(({ name, judged }) => ({
    name,
    auc: aucOf(judged, ({ score }) => score),
    lengthAuc: aucOf(judged, ({ messages }) => messages.length),
  }));
  const mean = (numbers: readonly number[]): number =>
    rounded(numbers.reduce((sum, number) => sum + number, 0) / numbers.length);
  const worst = aucs.toSorted((one, other) => one.auc - other.auc)[0];
  return {
    domains: Object.fromEntries(domains.map((domain) => [domain.name, figuresOf(domain)])),
    all: {
      domains: withOutcomes.length,
      meanAuc: mean(aucs.map(({ auc }) => auc)),
      meanLengthAuc: mean(aucs.map(({ lengthAuc }) => lengthAuc)),
      worst: worst === undefined ? null : { domain: worst.name, auc: rounded(worst.auc) },
      grave: graveShares(withOutcomes.flatMap(({ judged }) => judged)),
    },
  };
}

function figuresOf(domain: JudgedDomain): object {
  const { judged } = domain;
  const located = judged.filter(({ labelled }) => labelled.mistakeStep !== undefined);
  return {
    labels: domain.labels,
    ...(hasBothOutcomes(domain) ? outcomeFigures(judged) : {}),
    grave: graveShares(judged),
    ...(located.length === 0 ? {} : { causes: causeFigures(located) }),
  };
}

/** Shares of failed and of successful conversations with a grave occurrence, with intervals over tasks. */
function graveShares(judged: readonly Judged[]): object {
  const shareOf = (items: readonly Judged[]): number =>
    items.filter(({ symptoms }) => symptoms.some(isGrave)).length / items.length;
  const figure = (succeeded: boolean): object | null => {
    const group = judged.filter(({ labelled }) => labelled.succeeded === succeeded);
    if (group.length === 0) return null;
    const tasks = grouped(group, ({ labelled }) => labelled.taskId);
    return {
      share: rounded(shareOf(group)),
      interval: interval(resampled(tasks, shareOf, RESAMPLES)),
      of: group.length,
    };
  };
  return { failed: figure(false), successful: figure(true) };
}

function hasBothOutcomes({ judged }: JudgedDomain): boolean {
  return new Set(judged.map(({ labelled }) => labelled.succeeded)).size === 2;
}

function aucOf(judged: readonly Judged[], scoreOf: (one: Judged) => number): number {
  return rocAuc(judged.map((one) => ({ score: scoreOf(one), failed: !one.labelled.succeeded })));
}
