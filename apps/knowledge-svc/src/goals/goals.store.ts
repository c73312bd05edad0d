import type { GoalStatus } from '@clew/contracts';
import type { Slice, SliceRequest } from '@clew/kernel';
import { changedSince, readSlice, type Database, type Transaction } from '@clew/persistence';
import { goalCollection, type GoalDocument } from './goal.model.ts';
import type { GoalKey, StoredGoal } from './goal.ts';

export interface GoalFilter {
  status?: GoalStatus | undefined;
  updatedAfter?: number | undefined;
}

/** Changes of a goal's item counts; negative for fewer items. */
export interface ItemCounts {
  active: number;
  archived: number;
}

export interface GoalStore {
  insert(tx: Transaction, goal: StoredGoal): Promise<void>;
  get(key: GoalKey, tx?: Transaction): Promise<StoredGoal | undefined>;
  /** Reads goals by id; missing ones are left out. */
  getMany(projectId: string, goalIds: readonly string[], tx?: Transaction): Promise<ReadonlyMap<string, StoredGoal>>;
  list(projectId: string, filter: GoalFilter, slice: SliceRequest): Promise<Slice<StoredGoal>>;
  /** Saves a goal. Of two concurrent transactions that save the same goal, one is run again. */
  save(tx: Transaction, goal: StoredGoal): Promise<void>;
  count(tx: Transaction, key: GoalKey, more: ItemCounts): Promise<void>;
  /** Remembers which system prompts were read for the goal, in the encoding of extraction. */
  saveReadPrompts(tx: Transaction, key: GoalKey, readPrompts: string): Promise<void>;
}

export const GOALS = { name: 'goals' } as const;

export function createGoalStore(database: Database): GoalStore {
  const goals = goalCollection(database);
  return {
    async insert(tx, { id, ...fields }) {
      await goals.insertOne({ _id: id, ...fields }, { session: tx });
    },
    async get({ projectId, goalId }, tx) {
      const found = await goals.findOne({ _id: goalId, projectId }, tx === undefined ? {} : { session: tx });
      return found === null ? undefined : goalOf(found);
    },
    async getMany(projectId, goalIds, tx) {
      const filter = { _id: { $in: [...goalIds] }, projectId };
      const found = await goals.find(filter, tx === undefined ? {} : { session: tx }).toArray();
      return new Map(found.map((document) => [document._id, goalOf(document)]));
    },
    list(projectId, { status, updatedAfter }, slice) {
      const { order, filter } = changedSince(updatedAfter);
      const wanted = { projectId, ...(status === undefined ? {} : { status }), ...filter };
      return readSlice(goals, order, { filter: wanted, ...slice }, goalOf);
    },
    async save(tx, { id, projectId, name, instruction, model, sources, readPrompts, status, revision, updatedAt }) {
      const set = { name, instruction, model, sources, readPrompts, status, revision, updatedAt };
      await goals.updateOne({ _id: id, projectId }, { $set: set }, { session: tx });
    },
    async count(tx, { projectId, goalId }, { active, archived }) {
      if (active === 0 && archived === 0) return;
      const more = { activeItems: active, archivedItems: archived };
      await goals.updateOne({ _id: goalId, projectId }, { $inc: more }, { session: tx });
    },
    async saveReadPrompts(tx, { projectId, goalId }, readPrompts) {
      await goals.updateOne({ _id: goalId, projectId }, { $set: { readPrompts } }, { session: tx });
    },
  };
}

function goalOf({ _id, ...fields }: GoalDocument): StoredGoal {
  return { id: _id, ...fields };
}
