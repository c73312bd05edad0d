import type { Slice, SliceRequest } from '@clew/kernel';
import { NEWEST_FIRST, readSlice, type Database, type KeysetList, type Transaction } from '@clew/persistence';
import { projectModel, workspaceModel, type ProjectDocument, type StoredProject } from './project.model.ts';

export const PROJECTS: KeysetList = { name: 'projects', order: NEWEST_FIRST };

export interface ProjectStore {
  insert(tx: Transaction, project: StoredProject): Promise<void>;
  get(workspaceId: string, projectId: string, tx?: Transaction): Promise<StoredProject | undefined>;
  rename(tx: Transaction, project: StoredProject): Promise<void>;
  /** Resolves with the removed project; undefined if the workspace has no such project. */
  remove(tx: Transaction, workspaceId: string, projectId: string): Promise<StoredProject | undefined>;
  workspaceOf(projectId: string): Promise<string | undefined>;
  workspaceName(workspaceId: string): Promise<string>;
  /** Lists projects, newest first; `among` narrows to those that the caller can reach. */
  list(workspaceId: string, among: 'all' | readonly string[], slice: SliceRequest): Promise<Slice<StoredProject>>;
}

export function createProjectStore(database: Database): ProjectStore {
  const model = projectModel(database.connection);
  return {
    async insert(tx, { id, ...rest }) {
      await model.create([{ _id: id, ...rest }], { session: tx });
    },
    async get(workspaceId, projectId, tx) {
      const document = await model
        .findOne({ _id: projectId, workspaceId })
        .session(tx ?? null)
        .lean();
      return document === null ? undefined : fromDocument(document);
    },
    async rename(tx, { id, workspaceId, name, updatedAt }) {
      await model.updateOne({ _id: id, workspaceId }, { $set: { name, updatedAt } }).session(tx);
    },
    async remove(tx, workspaceId, projectId) {
      const document = await model.findOneAndDelete({ _id: projectId, workspaceId }).session(tx).lean();
      return document === null ? undefined : fromDocument(document);
    },
    async workspaceOf(projectId) {
      const document = await model.findById(projectId, { workspaceId: 1 }).lean();
      return document?.workspaceId;
    },
    async workspaceName(workspaceId) {
      const document = await workspaceModel(database.connection).findById(workspaceId, { name: 1 }).lean();
      return document?.name ?? '';
    },
    list(workspaceId, among, slice) {
      const filter = { workspaceId, ...(among === 'all' ? {} : { _id: { $in: [...among] } }) };
      return readSlice(model, PROJECTS.order, { filter, ...slice }, fromDocument);
    },
  };
}

function fromDocument({ _id, ...rest }: ProjectDocument): StoredProject {
  return { id: _id, ...rest };
}
