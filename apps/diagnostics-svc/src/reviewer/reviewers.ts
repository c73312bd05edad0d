import { AUTO_MODEL, type ReviewMode } from '@clew/contracts';
import type { Clock } from '@clew/kernel';
import type { Logger } from '@clew/runtime';
import type { ConfigurationsOf } from '../adjudication/index.ts';
import type { JudgeOrNot, Judges } from '../adjudication/judges.ts';
import type { SettingsStore } from '../settings/settings.store.ts';

/** Reviews that a project has chosen, by itself or by default. */
export interface ReviewPlan {
  mode: ReviewMode;
  dailyReviews: number;
}

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
  find(projectId: string): Promise<JudgeOrNot>;
  /** Forgets the plan of a project, after its settings have changed. */
  forget(projectId: string): void;
}

const KEPT_MS = 60_000;
const MAX_KEPT = 10_000;
/** Name prefix of local models: what they read does not leave the installation, and costs nothing. */
const LOCAL = 'self/';
const OFF: ReviewPlan = { mode: 'off', dailyReviews: 0 };

export function createReviewers(dependencies: ReviewersDependencies): Reviewers {
  const { settings, configurationsOf, judges, isEnabled, clock, logger } = dependencies;
  const kept = new Map<string, { plan: ReviewPlan; until: number }>();

  /** Model that a person has named: for reviews, or else for adjudication. */
  async function namedBy(projectId: string, reviewModel: string | null): Promise<string | undefined> {
    if (reviewModel !== null) return reviewModel;
    const configurations = await configurationsOf(projectId);
    return (
      [...configurations.values()].find(({ adjudicationModel }) => adjudicationModel !== null)?.adjudicationModel ??
      undefined
    );
  }

  async function find(projectId: string): Promise<JudgeOrNot> {
    const { reviewModel } = await settings.get(projectId);
    const name = (await namedBy(projectId, reviewModel)) ?? AUTO_MODEL;
    const judge = (await judges.find(projectId, [name])).get(name) ?? 'unavailable';
    if (name !== AUTO_MODEL || typeof judge === 'string' || judge.model.startsWith(LOCAL)) return judge;
    // A remote model gets content and costs money, so that only a person may choose it.
    return 'unavailable';
  }

  async function planOf(projectId: string): Promise<ReviewPlan> {
    if (!(await isEnabled(projectId))) return OFF;
    const { reviewMode, reviewModel, dailyReviews } = await settings.get(projectId);
    if (reviewMode !== null) return { mode: reviewMode, dailyReviews };
    const isNamed = (await namedBy(projectId, reviewModel)) !== undefined;
    const isThere = isNamed || typeof (await find(projectId)) !== 'string';
    return isThere ? { mode: 'sampled', dailyReviews } : OFF;
  }

  async function keptPlan(projectId: string): Promise<ReviewPlan> {
    const nowMs = clock.now();
    const known = kept.get(projectId);
    if (known !== undefined && known.until > nowMs) return known.plan;
    let plan = known?.plan ?? OFF;
    try {
      plan = await planOf(projectId);
    } catch (error) {
      logger.warn({ err: error, projectId }, 'the plan of reviews is not known anew');
    }
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(projectId, { plan, until: nowMs + KEPT_MS });
    return plan;
  }

  return {
    async plansOf(projectIds) {
      const distinct = [...new Set(projectIds)];
      return new Map(await Promise.all(distinct.map(async (id) => [id, await keptPlan(id)] as const)));
    },
    find,
    forget: (projectId) => void kept.delete(projectId),
  };
}
