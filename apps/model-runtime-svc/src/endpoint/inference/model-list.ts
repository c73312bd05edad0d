import type { SuccessBody } from '@clew/http';
import { AUTO_MODEL, type listInferenceModels } from '@clew/contracts';
import type { ProviderModels } from '../providers/provider-models.ts';
import type { ProviderStore } from '../providers/providers.store.ts';
import type { LocalServices } from '../providers/local-services.ts';

export type ModelList = (projectId: string) => Promise<SuccessBody<typeof listInferenceModels>>;

export interface ModelListDependencies {
  providers: Pick<ProviderStore, 'list'>;
  providerModels: ProviderModels;
  localServices: LocalServices;
}

/** Maximum number of providers listed; more than anybody has, and further ones can still be called. */
const MAX_PROVIDERS = 100;

/** Lists the models that can be called at present. A provider that does not answer has no models in the list. */
export function createModelList({ providers, providerModels, localServices }: ModelListDependencies): ModelList {
  return async (projectId) => {
    const [{ items: known }, ready] = await Promise.all([
      providers.list(projectId, { limit: MAX_PROVIDERS }),
      localServices.readyModels(projectId),
    ]);
    const listings = await Promise.all(
      known.map(async ({ name }) => ({ name, listing: await providerModels.recent(projectId, name) })),
    );
    const ofProviders = listings.flatMap(({ name, listing }) =>
      listing.models.map(({ id, created }) => entryOf(`${name}/${id}`, name, Math.trunc(created))),
    );
    const local = ready.map((modelId) => entryOf(`self/${modelId}`, 'self', 0));
    return { object: 'list', data: [entryOf(AUTO_MODEL, 'service', 0), ...local, ...ofProviders] };
  };
}

function entryOf(id: string, owner: string, created: number) {
  return { id, object: 'model' as const, created, owned_by: owner };
}
