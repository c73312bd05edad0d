import { datasetModelsNamed } from '@clew/contracts';
import type { Clock } from '@clew/kernel';
import type { Outbox, Transaction } from '@clew/persistence';

/** Fields of a Dataset that tell which model it names. */
export interface Naming {
  id: string;
  projectId: string;
  policy: { model?: string | undefined } | null;
  /** Grows with every change of the policy. */
  policyRevision: number;
}

/** Announces which model a Dataset names, so that its provider is not removed while the Dataset needs it. */
export interface NamedModels {
  /** Call this in each transaction that changes a Dataset; `undefined` stands for a Dataset that does not exist. */
  tell(
    tx: Transaction,
    change: { before: Naming | undefined; after: Naming | undefined; requestId: string },
  ): Promise<void>;
}

export function createNamedModels(outbox: Outbox, clock: Clock): NamedModels {
  return {
    async tell(tx, { before, after, requestId }) {
      const model = after?.policy?.model;
      const dataset = after ?? before;
      if (dataset === undefined || model === before?.policy?.model) return;
      const { id: datasetId, projectId, policyRevision } = dataset;
      // A removal gets a revision after all those of the policy.
      const revision = after === undefined ? policyRevision + 1 : policyRevision;
      await outbox.append(tx, datasetModelsNamed, {
        key: `${datasetId}:${revision}`,
        ...{ projectId, requestId, occurredAt: clock.now() },
        data: { datasetId, revision, models: model === undefined ? [] : [model] },
      });
    },
  };
}
