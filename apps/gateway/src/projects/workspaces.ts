import { newId, systemClock } from '@clew/kernel';
import type { Database, Transaction } from '@clew/persistence';
import { workspaceModel } from './project.model.ts';
import { secretMark } from './secret-mark.ts';

export interface NewWorkspace {
  name: string;
  authSecret: string;
}

/** Creates a workspace. */
export async function insertWorkspace(
  tx: Transaction,
  database: Database,
  { name, authSecret }: NewWorkspace,
  nowMs = systemClock.now(),
): Promise<string> {
  const workspace = { _id: newId('ws'), name, createdAt: nowMs, secretMark: secretMark(authSecret) };
  await workspaceModel(database.connection).create([workspace], { session: tx });
  return workspace._id;
}

/** Finds the workspace of the deployment: the oldest one; undefined before the first set-up. */
export async function findWorkspace(tx: Transaction | undefined, database: Database): Promise<string | undefined> {
  const oldest = await workspaceModel(database.connection)
    .findOne({}, { _id: 1 })
    .sort({ _id: 1 })
    .session(tx ?? null)
    .lean();
  return oldest?._id;
}

/** Workspace of those who come without being asked into another one. */
export type OldestWorkspace = (tx?: Transaction) => Promise<string | undefined>;

/**
 * Finds the workspace of the deployment for somebody who makes keys, and marks it with the secret that is used now: the
 * keys that are made from here on work with it.
 */
export async function joinWorkspace(
  tx: Transaction,
  database: Database,
  authSecret: string,
): Promise<string | undefined> {
  const id = await findWorkspace(tx, database);
  if (id !== undefined) {
    const marked = { $set: { secretMark: secretMark(authSecret) } };
    await workspaceModel(database.connection).updateOne({ _id: id }, marked).session(tx);
  }
  return id;
}
