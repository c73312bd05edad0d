import {
  BUILT_IN_RULES,
  distancesFrom,
  evaluateRule,
  FEATURE_NAMES,
  SCORE_INTERCEPT,
  featuresOf,
  usualOf,
  type ConversationFeatures,
  type UsualFeatures,
} from '@clew/rules';
import { grouped, interval, resampled, rocAuc, rounded } from '../figures/resample.ts';
import type { Domain } from '../labelled/domains.ts';
import { snapshotOfScript } from '../offline/scripted-snapshot.ts';
import { fitWeights, weightedSum } from './fit-weights.ts';

/** Labelled conversation with its features. */
export interface FeaturedConversation {
  readonly taskId: string;
  readonly failed: boolean;
  readonly length: number;
  readonly features: ConversationFeatures;
}

/** Domain with the features of its conversations. */
export interface FeaturedDomain {
  readonly name: string;
  readonly conversations: readonly FeaturedConversation[];
}

const RESAMPLES = 2000;

/** Computes the features of the conversations of domains, with the Rules' default settings. */
export function featuredDomains(domains: readonly Domain[]): FeaturedDomain[] {
  return domains.map(({ name, conversations }) => ({
    name,
    conversations: conversations.map(({ script, succeeded, taskId }) => {
      const snapshot = snapshotOfScript(script);
      const found = BUILT_IN_RULES.flatMap((rule) => evaluateRule(rule, snapshot, rule.defaultConfiguration));
      return { taskId, failed: !succeeded, length: snapshot.messages.length, features: featuresOf(snapshot, found) };
    }),
  }));
}

/**
 * Judges each domain with weights that were fitted on the other domains: once with what is usual in the domain itself,
 * which needs no labels, and once with what is usual in the others, as for a project without statistics. Also returns
 * the weights fitted on all domains, which the library holds as constants.
 */
export function leaveOneDomainOut(domains: readonly FeaturedDomain[]): object {
  const usuals = domains.map(usualIn);
  const rows = domains.map((domain, at) => {
    const others = domains.filter((_, index) => index !== at);
    const weights = fitOn(others);
    const general = generalUsual(usuals.filter((_, index) => index !== at));
    return {
      domain: domain.name,
      ...figuresOf(domain, weights, usualIn(domain), general),
    };
  });
  const mean = (valueOf: (row: (typeof rows)[number]) => number): number =>
    rounded(rows.reduce((sum, row) => sum + valueOf(row), 0) / rows.length);
  return {
    leaveOneDomainOut: rows,
    mean: {
      auc: mean(({ auc }) => auc),
      withoutUsual: mean(({ withoutUsual }) => withoutUsual),
      length: mean(({ length }) => length),
      lowest: Math.min(...rows.map(({ auc }) => auc)),
      lowestWithoutUsual: Math.min(...rows.map(({ withoutUsual }) => withoutUsual)),
    },
    fitted: {
      weights: named(fitOn(domains).map(rounded)),
      usual: Object.fromEntries(
        Object.entries(generalUsual(usuals)).map(([name, { mean: centre, spread }]) => [
          name,
          { mean: rounded(centre), spread: rounded(spread) },
        ]),
      ),
    },
  };
}

/** Scores of conversations by domain, each from weights and usual features of the other domains alone. */
export function heldOutScores(domains: readonly FeaturedDomain[]): Map<string, number[]> {
  return new Map(
    domains.map((domain) => {
      const others = domains.filter((other) => other !== domain);
      const [weights, usual] = [fitOn(others), generalUsual(others.map(usualIn))];
      const scores = domain.conversations.map(({ features }) => {
        const sum = SCORE_INTERCEPT + weightedSum(weights, distancesFrom(usual, features));
        return 1 / (1 + Math.exp(-sum));
      });
      return [domain.name, scores];
    }),
  );
}

function usualIn({ conversations }: FeaturedDomain): UsualFeatures {
  return usualOf(conversations.map(({ features }) => features));
}

function fitOn(domains: readonly FeaturedDomain[]): number[] {
  return fitWeights(
    domains.map((domain) => {
      const usual = usualIn(domain);
      return {
        distances: domain.conversations.map(({ features }) => distancesFrom(usual, features)),
        failed: domain.conversations.map(({ failed }) => failed),
      };
    }),
    FEATURE_NAMES.length,
  );
}

/** Usual features where nothing is known of the project: the mean of the domains' own. */
function generalUsual(usuals: readonly UsualFeatures[]): UsualFeatures {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  return Object.fromEntries(
    FEATURE_NAMES.map((name) => [
      name,
      {
        mean: mean(usuals.map((usual) => usual[name].mean)),
        spread: Math.sqrt(mean(usuals.map((usual) => usual[name].spread ** 2))),
      },
    ]),
  ) as unknown as UsualFeatures;
}

function figuresOf(
  { conversations }: FeaturedDomain,
  weights: readonly number[],
  usual: UsualFeatures,
  general: UsualFeatures,
) {
  const aucBy =
    (scoreOf: (one: FeaturedConversation) => number) =>
    (items: readonly FeaturedConversation[]): number =>
      rocAuc(items.map((one) => ({ score: scoreOf(one), failed: one.failed })));
  const withUsual = aucBy(({ features }) => weightedSum(weights, distancesFrom(usual, features)));
  const without = aucBy(({ features }) => weightedSum(weights, distancesFrom(general, features)));
  const byLength = aucBy(({ length }) => length);
  const tasks = grouped(conversations, ({ taskId }) => taskId);
  return {
    auc: rounded(withUsual(conversations)),
    interval: interval(resampled(tasks, withUsual, RESAMPLES)),
    withoutUsual: rounded(without(conversations)),
    length: rounded(byLength(conversations)),
  };
}

function named(numbers: readonly number[]): Record<string, number> {
  return Object.fromEntries(FEATURE_NAMES.map((name, at) => [name, numbers[at] ?? 0]));
}
