import type { datasetModelsNamed, EnvelopeOf, goalModelsNamed, ruleModelsNamed } from '@clew/contracts';
import type { Database } from '@clew/persistence';
import type { ProviderStore } from './providers.store.ts';

type References = Pick<ProviderStore, 'setReference'>;

/** Takes note of the models that Datasets name, so that their providers are not removed under them. */
export function takeDatasetModels(database: Database, providers: References) {
  return async ({ projectId, data }: EnvelopeOf<typeof datasetModelsNamed>): Promise<void> => {
    const { datasetId, models, revision } = data;
    await database.withTransaction((tx) =>
      providers.setReference(tx, projectId, { kind: 'dataset', id: datasetId }, { models, revision }),
    );
  };
}

/** The same of those that Rules ask for adjudication. */
export function takeRuleModels(database: Database, providers: References) {
  return async ({ projectId, data }: EnvelopeOf<typeof ruleModelsNamed>): Promise<void> => {
    const { ruleId, models, revision } = data;
    await database.withTransaction((tx) =>
      providers.setReference(tx, projectId, { kind: 'rule', id: ruleId }, { models, revision }),
    );
  };
}

/** The same of those that Learning Goals read conversations with. */
export function takeGoalModels(database: Database, providers: References) {
  return async ({ projectId, data }: EnvelopeOf<typeof goalModelsNamed>): Promise<void> => {
    const { goalId, models, revision } = data;
    await database.withTransaction((tx) =>
      providers.setReference(tx, projectId, { kind: 'goal', id: goalId }, { models, revision }),
    );
  };
}
