import { setTimeout as sleep } from 'node:timers/promises';
import { AUTO_MODEL, type ReviewMode } from '@clew/contracts';
import type { Clock } from '@clew/kernel';
import type { Logger } from '@clew/runtime';
import type { ConfigurationsOf } from '../adjudication/index.ts';
import type { Judge, Judges } from '../adjudication/judges.ts';
import type { SettingsStore } from '../settings/settings.store.ts';

/** Reviews that a project has chosen, by itself or by default. */
export interface ReviewPlan {
  mode: ReviewMode;
  dailyReviews: number;
}

/**
 * `away`: a model is named, but cannot be used now, or it is still being probed. `unavailable`: nobody named one, and none
 * may be used without a name.
 */
export type ReviewerOrNot = Judge | 'away' | 'unavailable';

export interface ReviewersDependencies {
  settings: SettingsStore;
  configurationsOf: ConfigurationsOf;
  judges: Judges;
  /** Whether the Rule of reviews is on. */
  isEnabled(projectId: string): Promise<boolean>;
  clock: Clock;
  logger: Logger;
}

/** Models that read the conversations of projects. */
export interface Reviewers {
  /** Plans of projects; a change takes effect within a minute. Without a model, conversations are not read. */
  plansOf(projectIds: readonly string[]): Promise<ReadonlyMap<string, ReviewPlan>>;
  /** Model that reads for a project now. */
  find(projectId: string): Promise<ReviewerOrNot>;
  /** Forgets the plan of a project, after its settings have changed. */
  forget(projectId: string): void;
}

const KEPT_MS = 60_000;
/** Longest wait in milliseconds for what is not known yet; results do not wait for another service. */
const PATIENCE_MS = 1_000;
const MAX_KEPT = 10_000;
/** Name prefix of local models: what they read does not leave the installation, and costs nothing. */
const LOCAL = 'self/';
const OFF: ReviewPlan = { mode: 'off', dailyReviews: 0 };

export function createReviewers(dependencies: ReviewersDependencies): Reviewers {
  const { settings, configurationsOf, judges, isEnabled, clock, logger } = dependencies;
  const kept = new Map<string, { plan: ReviewPlan; until: number }>();
  const underWay = new Map<string, Promise<ReviewPlan>>();

  /** Model that a person has named: for reviews, or else for adjudication. */
  async function namedBy(projectId: string, reviewModel: string | null): Promise<string | undefined> {
    if (reviewModel !== null) return reviewModel;
    const configurations = await configurationsOf(projectId);
    return (
      [...configurations.values()].find(({ adjudicationModel }) => adjudicationModel !== null)?.adjudicationModel ??
      undefined
    );
  }

  async function find(projectId: string): Promise<ReviewerOrNot> {
    const { reviewModel } = await settings.get(projectId);
    const name = (await namedBy(projectId, reviewModel)) ?? AUTO_MODEL;
    const judge = (await judges.find(projectId, [name])).get(name) ?? 'unknown';
    if (judge === 'unknown') return 'away';
    if (name !== AUTO_MODEL) return judge === 'unavailable' ? 'away' : judge;
    // A remote model gets content and costs money, so that only a person may choose it.
    return judge === 'unavailable' || !judge.model.startsWith(LOCAL) ? 'unavailable' : judge;
  }

  async function planOf(projectId: string): Promise<ReviewPlan> {
    if (!(await isEnabled(projectId))) return OFF;
    const { reviewMode, reviewModel, dailyReviews } = await settings.get(projectId);
    if (reviewMode !== null) return { mode: reviewMode, dailyReviews };
    const isNamed = (await namedBy(projectId, reviewModel)) !== undefined;
    const isThere = isNamed || typeof (await find(projectId)) !== 'string';
    return isThere ? { mode: 'sampled', dailyReviews } : OFF;
  }

  /** Reads the plan anew; one that cannot be read stays as it was, and one that is forgotten meanwhile is not kept. */
  function refresh(projectId: string, known: ReviewPlan): Promise<ReviewPlan> {
    const reading = planOf(projectId)
      .catch((error: unknown) => {
        logger.warn({ err: error, projectId }, 'the plan of reviews is not known anew');
        return known;
      })
      .then((plan) => {
        if (underWay.get(projectId) !== reading) return plan;
        underWay.delete(projectId);
        if (kept.size >= MAX_KEPT) kept.clear();
        kept.set(projectId, { plan, until: clock.now() + KEPT_MS });
        return plan;
      });
    underWay.set(projectId, reading);
    return reading;
  }

  /** Plan as it is known. An old one is read anew in the background; for the first one there is a short wait. */
  async function keptPlan(projectId: string): Promise<ReviewPlan> {
    const known = kept.get(projectId);
    if (known !== undefined && known.until > clock.now()) return known.plan;
    const reading = underWay.get(projectId) ?? refresh(projectId, known?.plan ?? OFF);
    return known?.plan ?? (await Promise.race([reading, sleep(PATIENCE_MS, OFF, { ref: false })]));
  }

  return {
    async plansOf(projectIds) {
      const distinct = [...new Set(projectIds)];
      return new Map(await Promise.all(distinct.map(async (id) => [id, await keptPlan(id)] as const)));
    },
    find,
    forget(projectId) {
      kept.delete(projectId);
      underWay.delete(projectId);
    },
  };
}
