import type { datasetModelsNamed, EnvelopeOf, goalModelsNamed, ruleModelsNamed } from '@clew/contracts';
import type { Database } from '@clew/persistence';
import type { ProviderStore } from './providers.store.ts';

type References = Pick<ProviderStore, 'setReference'>;

/** Stores the models that Datasets name, so that their providers cannot be removed. */
export function takeDatasetModels(database: Database, providers: References) {
  return async ({ projectId, data }: EnvelopeOf<typeof datasetModelsNamed>): Promise<void> => {
    const { datasetId, models, revision } = data;
    await database.withTransaction((tx) =>
      providers.setReference(tx, projectId, { kind: 'dataset', id: datasetId }, { models, revision }),
    );
  };
}

/** Stores in the same way the models that Rules use for adjudication. */
export function takeRuleModels(database: Database, providers: References) {
  return async ({ projectId, data }: EnvelopeOf<typeof ruleModelsNamed>): Promise<void> => {
    const { ruleId, models, revision } = data;
    await database.withTransaction((tx) =>
      providers.setReference(tx, projectId, { kind: 'rule', id: ruleId }, { models, revision }),
    );
  };
}

/** Stores in the same way the models that Learning Goals use for extraction. */
export function takeGoalModels(database: Database, providers: References) {
  return async ({ projectId, data }: EnvelopeOf<typeof goalModelsNamed>): Promise<void> => {
    const { goalId, models, revision } = data;
    await database.withTransaction((tx) =>
      providers.setReference(tx, projectId, { kind: 'goal', id: goalId }, { models, revision }),
    );
  };
}
