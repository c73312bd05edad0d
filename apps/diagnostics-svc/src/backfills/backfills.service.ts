import type { RequestedRuleBackfill, RuleBackfill as BackfillView } from '@clew/contracts';
import { AppError, notFound, type Clock } from '@clew/kernel';
import type { Database, WindowBackfills } from '@clew/persistence';
import { CONVERSATION_REVIEW, type ReviewBackfills } from '../reviewer/index.ts';
import type { RuleDescription, RuleStore } from '../rules/index.ts';
import { requireRuleAmong } from '../rules/index.ts';
import {
  backfillView,
  newBackfill,
  requestedView,
  type BackfillRequest,
  type RuleBackfill,
  type StoredBackfill,
} from './backfill.ts';
import { backfillCollection, backfillOf } from './backfill.model.ts';

export interface BackfillsDependencies {
  database: Database;
  rules: RuleStore;
  definitions: readonly RuleDescription[];
  reviews: Pick<ReviewBackfills, 'isOn' | 'daysFor'>;
  clock: Clock;
  backfills: Pick<WindowBackfills<StoredBackfill>, 'schedule'>;
}

export interface BackfillsService {
  /**
   * Schedules a backfill, or returns the one that an earlier request with the same key made. Throws CONFLICT for a Rule
   * that is off.
   */
  request(request: BackfillRequest): Promise<RequestedRuleBackfill>;
  get(projectId: string, ruleId: string, backfillId: string): Promise<BackfillView>;
}

export function createBackfillsService(dependencies: BackfillsDependencies): BackfillsService {
  const { database, rules, definitions, reviews, clock, backfills } = dependencies;
  const documents = backfillCollection(database.connection);
  const requireRule = requireRuleAmong(definitions);

  async function find(projectId: string, id: string): Promise<RuleBackfill | undefined> {
    const found = await documents.findOne({ _id: id, projectId });
    return found === null ? undefined : backfillOf(found);
  }

  /** Days that a backfill of reviews takes; nothing for other Rules. */
  async function reviewDaysOf({ projectId, ruleId, endedAt, ...backfill }: RuleBackfill) {
    if (ruleId !== CONVERSATION_REVIEW.ruleId) return {};
    const left = endedAt === null ? backfill.maxConversations - backfill.conversationsSeen : 0;
    return { reviewDays: await reviews.daysFor(projectId, left) };
  }

  async function requireOn(projectId: string, ruleId: string): Promise<void> {
    if (!(await rules.get(projectId, ruleId)).enabled)
      throw new AppError('CONFLICT', 'The Rule is off: switch it on to run it on earlier conversations');
    if (ruleId === CONVERSATION_REVIEW.ruleId && !(await reviews.isOn(projectId)))
      throw new AppError(
        'CONFLICT',
        'No conversations are read: name a model in `reviewModel` and allow some reviews a day',
      );
  }

  return {
    async request(request) {
      const { projectId, ruleId } = request;
      requireRule(ruleId);
      const backfill = newBackfill(request, clock.now());
      const known = request.key === undefined ? undefined : await find(projectId, backfill.id);
      if (known !== undefined) return { ...requestedView(known), ...(await reviewDaysOf(known)) };
      await requireOn(projectId, ruleId);
      const scheduled = backfillOf(await backfills.schedule(backfill));
      return { ...requestedView(scheduled), ...(await reviewDaysOf(scheduled)) };
    },

    async get(projectId, ruleId, backfillId) {
      requireRule(ruleId);
      const backfill = await find(projectId, backfillId);
      if (backfill?.ruleId !== ruleId) throw notFound();
      return { ...backfillView(backfill), ...(await reviewDaysOf(backfill)) };
    },
  };
}
