import type { Doer, GoalsQuery, LearningGoal, LearningGoalChange, NewLearningGoal, Waiting } from '@clew/contracts';
import { AppError, notFound, page, type Clock, type CursorCodec } from '@clew/kernel';
import type { AuditTrail, Database, Deed, Outbox, Transaction } from '@clew/persistence';
import type { ProjectModels } from '../models/index.ts';
import { changedGoal, goalView, newGoal, type GoalKey, type StoredGoal } from './goal.ts';
import { GOALS, type GoalStore } from './goals.store.ts';
import { tellNamedModel } from './named-models.ts';

export interface GoalsDependencies {
  database: Database;
  goals: GoalStore;
  models: ProjectModels;
  outbox: Outbox;
  audit: AuditTrail;
  cursors: CursorCodec;
  clock: Clock;
  /** Tells why the next extraction of a goal was not requested yet; `undefined` if none waits. */
  waitingOf(projectId: string, goal: { goalId: string }): Promise<Waiting | undefined>;
  /** Runs in the transaction that changes a goal. */
  afterChange(tx: Transaction, change: { before: StoredGoal; after: StoredGoal; nowMs: number }): Promise<void>;
}

export interface ChangeConditions {
  doer: Doer;
  /** Checks the goal before the change; it may throw. */
  check: (goal: StoredGoal) => void;
}

export type GoalsService = ReturnType<typeof createGoalsService>;

export function createGoalsService(deps: GoalsDependencies) {
  const { database, goals, models, outbox, audit, cursors, clock, waitingOf, afterChange } = deps;

  /**
   * Refuses a model that can never serve. While the model runtime cannot be asked, the model is accepted, and the goal
   * later tells why it does not run.
   */
  async function requireModel(projectId: string, model: string): Promise<void> {
    const state = await models.find(projectId, [model]).catch(() => undefined);
    const found = state?.get(model);
    if (found?.kind !== 'unavailable' || !found.isForGood) return;
    const details = [{ path: 'body.model', message: found.reason }];
    throw new AppError('VALIDATION_FAILED', `body.model: ${found.reason}`, { details });
  }

  async function viewOf(goal: StoredGoal): Promise<LearningGoal> {
    return goalView(goal, await models.blockedReasons(goal.projectId, [goal.model]));
  }

  return {
    async create(
      projectId: string,
      input: NewLearningGoal,
      doer: Doer,
      inTransaction: (tx: Transaction, created: LearningGoal) => Promise<void>,
    ): Promise<LearningGoal> {
      await requireModel(projectId, input.model);
      const goal = newGoal(projectId, input, clock.now());
      const created = await viewOf(goal);
      await database.withTransaction(async (tx) => {
        await goals.insert(tx, goal);
        await tellNamedModel(outbox, tx, { before: undefined, after: goal, requestId: doer.requestId });
        await audit.record(tx, doer, deedOn(goal, 'created'), { before: null, after: chosenOf(goal) });
        await inTransaction(tx, created);
      });
      return created;
    },

    async get(key: GoalKey): Promise<LearningGoal> {
      const goal = await goals.get(key);
      if (goal === undefined) throw notFound();
      const [view, waiting] = await Promise.all([viewOf(goal), waitingOf(goal.projectId, { goalId: goal.id })]);
      return waiting === undefined ? view : { ...view, waiting };
    },

    async list(projectId: string, { status, updatedAfter, ...bounds }: GoalsQuery) {
      const filters = { status, updatedAfter };
      const { items, nextCursor } = await page(cursors, GOALS, { projectId, filters, ...bounds }, (slice) =>
        goals.list(projectId, filters, slice),
      );
      const active = items.filter((goal) => goal.status === 'active');
      const reasons = await models.blockedReasons(
        projectId,
        active.map(({ model }) => model),
      );
      return { goals: items.map((goal) => goalView(goal, reasons)), nextCursor };
    },

    async update(key: GoalKey, change: LearningGoalChange, conditions: ChangeConditions): Promise<LearningGoal> {
      const { doer, check } = conditions;
      const known = await goals.get(key);
      if (known === undefined) throw notFound();
      if (change.model !== undefined && change.model !== known.model) await requireModel(key.projectId, change.model);
      const changed = await database.withTransaction(async (tx) => {
        const before = await goals.get(key, tx);
        if (before === undefined) throw notFound();
        check(before);
        const nowMs = clock.now();
        const after = changedGoal(before, change, nowMs);
        if (after === before) return before;
        await goals.save(tx, after);
        await tellNamedModel(outbox, tx, { before, after, requestId: doer.requestId });
        await audit.record(tx, doer, deedOn(after, 'changed'), { before: chosenOf(before), after: chosenOf(after) });
        await afterChange(tx, { before, after, nowMs });
        return after;
      });
      return viewOf(changed);
    },
  };
}

function deedOn({ projectId, id }: StoredGoal, deed: 'created' | 'changed'): Deed {
  return { projectId, action: `learning-goal.${deed}`, target: { kind: 'learning-goal', id } };
}

/** Members of a goal that people choose. */
function chosenOf({ name, instruction, model, status, sources }: StoredGoal): object {
  return { name, instruction, model, status, sources };
}
