import type { CursorKey } from '@clew/kernel';
import { keysetFilter, type Database, type KeysetSort, type Transaction } from '@clew/persistence';
import { projectModel, type ProjectDocument, type StoredProject } from './project.model.ts';

const NEWEST_FIRST: KeysetSort = [
  ['createdAt', -1],
  ['_id', -1],
];

export interface ProjectStore {
  insert(tx: Transaction, project: StoredProject): Promise<void>;
  get(workspaceId: string, projectId: string): Promise<StoredProject | undefined>;
  workspaceOf(projectId: string): Promise<string | undefined>;
  /** Newest first; `among` narrows to the projects that the caller can reach. */
  list(
    workspaceId: string,
    page: { among: 'all' | readonly string[]; limit: number; after?: CursorKey | undefined },
  ): Promise<StoredProject[]>;
}

export function createProjectStore(database: Database): ProjectStore {
  const model = projectModel(database.connection);
  return {
    async insert(tx, { id, ...rest }) {
      await model.create([{ _id: id, ...rest }], { session: tx });
    },
    async get(workspaceId, projectId) {
      const document = await model.findOne({ _id: projectId, workspaceId }).lean();
      return document === null ? undefined : fromDocument(document);
    },
    async workspaceOf(projectId) {
      const document = await model.findById(projectId, { workspaceId: 1 }).lean();
      return document?.workspaceId;
    },
    async list(workspaceId, { among, limit, after }) {
      const documents = await model
        .find({
          workspaceId,
          ...(among === 'all' ? {} : { _id: { $in: [...among] } }),
          ...(after === undefined ? {} : keysetFilter(NEWEST_FIRST, after)),
        })
        .sort({ createdAt: -1, _id: -1 })
        .limit(limit)
        .lean<ProjectDocument[]>();
      return documents.map(fromDocument);
    },
  };
}

function fromDocument({ _id, ...rest }: ProjectDocument): StoredProject {
  return { id: _id, ...rest };
}
