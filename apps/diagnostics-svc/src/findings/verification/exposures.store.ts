import { derivedId } from '@clew/kernel';
import type { Database, Transaction } from '@clew/persistence';
import { AWAITING, findingCollection } from '../finding.model.ts';
import { exposureCollection } from './exposure.model.ts';

/** Conversation that could have shown a Finding after its repair, and did not. */
export interface Exposure {
  projectId: string;
  findingId: string;
  conversationId: string;
  startedAt: number;
  /** Beginning of the verification: each one counts its own exposures. */
  since: number;
}

/** Most Findings whose exposures are looked for at a time; those beyond it are verified once others are. */
const MAX_AWAITING = 5_000;

export interface ExposureStore {
  /** Ids of Findings of these projects that await verification, and of those that they were split off. */
  awaiting(tx: Transaction, projectIds: readonly string[]): Promise<string[]>;
  /** Exposures that were not counted yet. */
  uncounted(tx: Transaction, exposures: readonly Exposure[]): Promise<Exposure[]>;
  count(tx: Transaction, exposures: readonly Exposure[]): Promise<void>;
  /** Forgets the exposures of Findings that no longer await verification. */
  clear(tx: Transaction, findings: readonly { projectId: string; id: string }[]): Promise<void>;
}

export function createExposureStore(database: Database): ExposureStore {
  const documents = exposureCollection(database.connection);
  return {
    async awaiting(tx, projectIds) {
      const found = await findingCollection(database)
        .find(
          { projectId: { $in: [...new Set(projectIds)] }, ...AWAITING },
          { session: tx, projection: { splitFrom: 1 } },
        )
        .limit(MAX_AWAITING)
        .toArray();
      return found.flatMap(({ _id, splitFrom }) => (splitFrom === undefined ? [_id] : [_id, splitFrom]));
    },

    async uncounted(tx, exposures) {
      if (exposures.length === 0) return [];
      const byId = new Map(exposures.map((exposure) => [exposureIdOf(exposure), exposure]));
      const projectId = { $in: [...new Set(exposures.map((each) => each.projectId))] };
      const filter = { projectId, _id: { $in: [...byId.keys()] } };
      const counted = await documents.find(filter, { session: tx, projection: { _id: 1 } }).toArray();
      for (const { _id } of counted) byId.delete(_id);
      return [...byId.values()];
    },

    async count(tx, exposures) {
      if (exposures.length === 0) return;
      const rows = exposures.map((exposure) => {
        const { projectId, findingId } = exposure;
        return { _id: exposureIdOf(exposure), projectId, findingId };
      });
      await documents.insertMany(rows, { session: tx });
    },

    async clear(tx, findings) {
      for (const { projectId, id: findingId } of findings) {
        await documents.deleteMany({ projectId, findingId }, { session: tx });
      }
    },
  };
}

function exposureIdOf({ findingId, since, conversationId }: Exposure): string {
  return derivedId('xps', findingId, String(since), conversationId);
}
