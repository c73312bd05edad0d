import type { HubStatus } from '@clew/contracts';
import type { Database } from '@clew/persistence';
import { hubFactsModel, hubStatusModel } from './catalog.model.ts';
import type { HubFacts } from './hub-facts.ts';

/** Data that a project last read from the hub. */
export interface HubStateStore {
  /** Returns the known facts of these repositories, by repository. */
  hubFacts(projectId: string, repoIds: readonly string[]): Promise<Map<string, HubFacts>>;
  putHubFacts(projectId: string, facts: readonly HubFacts[]): Promise<void>;
  hubStatus(projectId: string): Promise<HubStatus>;
  setHubStatus(projectId: string, status: HubStatus): Promise<void>;
}

const NEVER: HubStatus = { state: 'never', refreshedAt: null, attemptedAt: null, reason: null };

export function createHubStateStore(database: Database): HubStateStore {
  const facts = hubFactsModel(database.connection);
  const statuses = hubStatusModel(database.connection);
  return {
    async hubFacts(projectId, repoIds) {
      const documents = await facts.find({ projectId, repoId: { $in: [...repoIds] } }).lean();
      return new Map(documents.map((each) => [each.repoId, each]));
    },
    async putHubFacts(projectId, read) {
      if (read.length === 0) return;
      const writes = read.map((each) => ({
        replaceOne: {
          filter: { projectId, repoId: each.repoId },
          replacement: { _id: `${projectId}:${each.repoId}`, projectId, ...each },
          upsert: true,
        },
      }));
      await facts.bulkWrite(writes, { ordered: false });
    },
    async hubStatus(projectId) {
      const document = await statuses.findOne({ _id: projectId }).lean();
      if (document === null) return NEVER;
      const { _id, ...status } = document;
      return status;
    },
    async setHubStatus(projectId, status) {
      await statuses.replaceOne({ _id: projectId }, status, { upsert: true });
    },
  };
}
