import type { datasetModelsNamed, EnvelopeOf } from '@clew/contracts';
import type { Database } from '@clew/persistence';
import type { ProviderStore } from './providers.store.ts';

/** Takes note of the models that Datasets name, so that their providers are not removed under them. */
export function takeDatasetModels(database: Database, providers: Pick<ProviderStore, 'setReference'>) {
  return async ({ projectId, data }: EnvelopeOf<typeof datasetModelsNamed>): Promise<void> => {
    const { datasetId, models, revision } = data;
    await database.withTransaction((tx) =>
      providers.setReference(tx, projectId, { kind: 'dataset', id: datasetId }, { models, revision }),
    );
  };
}
