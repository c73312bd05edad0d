import {
  RULE_BACKFILL_STATES,
  type RequestedRuleBackfill,
  type RuleBackfill as BackfillView,
  type RuleBackfillsQuery,
} from '@clew/contracts';
import { AppError, notFound, page, type Clock, type CursorCodec } from '@clew/kernel';
import {
  cancelled,
  hasEnded,
  NEWEST_FIRST,
  readSlice,
  type Database,
  type KeysetList,
  type Outbox,
  type Transaction,
  type WindowBackfills,
} from '@clew/persistence';
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
import { reportEnd } from './backfill-events.ts';
import { backfillCollection, backfillOf, BY_RULE, BY_STATE } from './backfill.model.ts';

export const BACKFILLS: KeysetList = {
  ...{ name: 'rule backfills', order: NEWEST_FIRST },
  invalidCursor: 'INVALID_FILTER',
};

export interface BackfillsDependencies {
  database: Database;
  rules: RuleStore;
  definitions: readonly RuleDescription[];
  reviews: Pick<ReviewBackfills, 'isOn' | 'daysFor'>;
  outbox: Pick<Outbox, 'append'>;
  cursors: CursorCodec;
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
  /** Backfills of all Rules, newest first. */
  list(projectId: string, query: RuleBackfillsQuery): Promise<{ backfills: BackfillView[]; nextCursor: string | null }>;
  /** Ends a backfill; one that has ended is returned as it is. */
  cancel(projectId: string, backfillId: string): Promise<BackfillView>;
}

export function createBackfillsService(dependencies: BackfillsDependencies): BackfillsService {
  const { database, rules, definitions, reviews, outbox, cursors, clock, backfills } = dependencies;
  const documents = backfillCollection(database.connection);
  const requireRule = requireRuleAmong(definitions);

  async function find(projectId: string, id: string, tx?: Transaction): Promise<RuleBackfill | undefined> {
    const found = await documents.findOne({ _id: id, projectId }, tx === undefined ? {} : { session: tx });
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

    async list(projectId, { limit, cursor, ...filters }) {
      const { state = RULE_BACKFILL_STATES, ruleId } = filters;
      const hint = ruleId === undefined ? BY_STATE : BY_RULE;
      const filter = { projectId, ...(ruleId === undefined ? {} : { ruleId }), state: { $in: state } };
      const found = await page(cursors, BACKFILLS, { projectId, filters, limit, cursor }, (slice) =>
        readSlice(documents, BACKFILLS.order, { filter, hint, ...slice }, backfillOf),
      );
      return { backfills: found.items.map(backfillView), nextCursor: found.nextCursor };
    },

    cancel(projectId, backfillId) {
      return database.withTransaction(async (tx) => {
        const before = await find(projectId, backfillId, tx);
        if (before === undefined) throw notFound();
        if (hasEnded(before)) return backfillView(before);
        const after = cancelled(before, clock.now());
        const { state, endedAt } = after;
        await documents.updateOne(
          { _id: backfillId, projectId },
          { $set: { state, endedAt, dueAt: null } },
          { session: tx },
        );
        await reportEnd(tx, outbox, backfillId, after);
        return backfillView(after);
      });
    },
  };
}
