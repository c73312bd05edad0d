import type { Database, Transaction } from '@clew/persistence';
import { workspaceModel } from './project.model.ts';

/** Finds the workspace of those who come without being asked into another one; undefined before the first set-up. */
export type OldestWorkspace = (tx?: Transaction) => Promise<string | undefined>;

export function createOldestWorkspace(database: Database): OldestWorkspace {
  const model = workspaceModel(database.connection);
  return async (tx) => {
    const oldest = await model
      .findOne({}, { _id: 1 })
      .sort({ _id: 1 })
      .session(tx ?? null)
      .lean();
    return oldest?._id;
  };
}
