import type { KnowledgeBackfill as BackfillView, RequestedKnowledgeBackfill, Waiting } from '@clew/contracts';
import { AppError, notFound, page, type Clock, type CursorCodec, type PageQuery } from '@clew/kernel';
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
import type { GoalKey, GoalStore } from '../goals/index.ts';
import type { ProjectModels } from '../models/index.ts';
import type { ExtractionsOf } from '../extractions/index.ts';
import { reportEnd } from './backfill-events.ts';
import { backfillCollection, backfillOf } from './backfill.model.ts';
import {
  backfillView,
  newBackfill,
  requestedView,
  requireActive,
  type BackfillRequest,
  type StoredBackfill,
} from './backfill.ts';

export interface BackfillsDependencies {
  database: Database;
  outbox: Outbox;
  goals: GoalStore;
  models: ProjectModels;
  cursors: CursorCodec;
  clock: Clock;
  /** Tells why the next of some extractions was not requested yet; `undefined` if none waits. */
  waitingOf(projectId: string, some: ExtractionsOf): Promise<Waiting | undefined>;
  backfills: Pick<WindowBackfills<StoredBackfill>, 'schedule'>;
}

export interface BackfillKey extends GoalKey {
  backfillId: string;
}

export interface BackfillsService {
  /** Schedules a backfill, or returns the one that an earlier request with the same key made. */
  request(request: BackfillRequest): Promise<RequestedKnowledgeBackfill>;
  get(key: BackfillKey): Promise<BackfillView>;
  list(key: GoalKey, query: PageQuery): Promise<{ backfills: BackfillView[]; nextCursor: string | null }>;
  /** Lists the backfills of all goals. */
  listAll(projectId: string, query: BackfillsQuery): Promise<{ backfills: BackfillView[]; nextCursor: string | null }>;
  cancel(key: BackfillKey): Promise<BackfillView>;
}

export interface BackfillsQuery extends PageQuery {
  state?: BackfillView['state'] | undefined;
}

const PROJECT_BACKFILLS: KeysetList = { name: 'knowledge backfills of all goals', order: NEWEST_FIRST };
const BACKFILLS: KeysetList = { name: 'knowledge backfills', order: NEWEST_FIRST };

export function createBackfillsService(dependencies: BackfillsDependencies): BackfillsService {
  const { database, outbox, goals, models, cursors, clock, waitingOf, backfills } = dependencies;
  const documents = backfillCollection(database);

  async function find({ projectId, goalId, backfillId }: BackfillKey, tx?: Transaction) {
    const options = tx === undefined ? {} : { session: tx };
    const found = await documents.findOne({ _id: backfillId, projectId, goalId }, options);
    return found === null ? undefined : backfillOf(found);
  }

  async function requireGoal(key: GoalKey) {
    const goal = await goals.get(key);
    if (goal === undefined) throw notFound();
    return goal;
  }

  async function requireModel(projectId: string, model: string): Promise<void> {
    const state = (await models.find(projectId, [model])).get(model);
    if (state?.kind === 'available') return;
    const reason = state?.kind === 'unavailable' ? state.reason : `The model ${model} is still being looked at`;
    throw new AppError('MODEL_UNAVAILABLE', reason);
  }

  return {
    async request(request) {
      const goal = await requireGoal(request);
      const backfill = newBackfill(request, clock.now());
      const known = request.key === undefined ? undefined : await find({ ...request, backfillId: backfill.id });
      if (known !== undefined) return requestedView(known);
      requireActive(goal.status);
      await requireModel(request.projectId, goal.model);
      return requestedView(backfillOf(await backfills.schedule(backfill)));
    },

    async get(key) {
      const found = await find(key);
      if (found === undefined) throw notFound();
      const { projectId, goalId, backfillId: backfillIds } = key;
      const waiting = hasEnded(found) ? undefined : await waitingOf(projectId, { goalId, backfillIds });
      return { ...backfillView(found), ...(waiting === undefined ? {} : { waiting }) };
    },

    async list(key, query) {
      await requireGoal(key);
      const { projectId, goalId } = key;
      const found = await page(cursors, BACKFILLS, { projectId, filters: { goalId }, ...query }, (slice) =>
        readSlice(documents, BACKFILLS.order, { filter: { projectId, goalId }, ...slice }, backfillOf),
      );
      return { backfills: found.items.map(backfillView), nextCursor: found.nextCursor };
    },

    async listAll(projectId, { state, ...query }) {
      const filter = { projectId, ...(state === undefined ? {} : { state }) };
      const found = await page(cursors, PROJECT_BACKFILLS, { projectId, filters: { state }, ...query }, (slice) =>
        readSlice(documents, PROJECT_BACKFILLS.order, { filter, ...slice }, backfillOf),
      );
      return { backfills: found.items.map(backfillView), nextCursor: found.nextCursor };
    },

    cancel(key) {
      return database.withTransaction(async (tx) => {
        const before = await find(key, tx);
        if (before === undefined) throw notFound();
        if (hasEnded(before)) return backfillView(before);
        const after = cancelled(before, clock.now());
        const { state, endedAt } = after;
        const { projectId, backfillId: _id } = key;
        await documents.updateOne({ _id, projectId }, { $set: { state, endedAt, dueAt: null } }, { session: tx });
        await reportEnd(tx, outbox, after.id, after);
        return backfillView(after);
      });
    },
  };
}
