import type { Holding, HoldingStore, Resource, ResourceStore } from '@clew/model-runtime';

export interface FoundService {
  holding: Holding;
  resource: Resource;
}

/** Services that a project has for a model: the one that answers, and the one that a call would wake. */
export interface FoundServices {
  ready: FoundService | undefined;
  asleep: FoundService | undefined;
}

export type FindServices = (projectId: string, modelId: string, profileId?: string) => Promise<FoundServices>;

export interface FindServicesDependencies {
  node: string;
  resources: Pick<ResourceStore, 'list'>;
  holdings: Pick<HoldingStore, 'heldOf'>;
}

/** Finds services without waking any or counting as use. */
export function createFindServices({ node, resources, holdings }: FindServicesDependencies): FindServices {
  return async (projectId, modelId, profileId) => {
    const held = await holdings.heldOf(projectId, node, 'service', modelId);
    const wanted = held.filter((holding) => profileId === undefined || holding.profileId === profileId);
    const found = await resources.list(wanted.map(({ resourceId }) => resourceId));
    const services = found.flatMap((resource) => {
      const holding = wanted.find(({ resourceId }) => resourceId === resource.id);
      return holding === undefined ? [] : [{ holding, resource }];
    });
    // If several profiles of a model run, the one started last comes first.
    services.sort(byNewest);
    return {
      ready: services.find(({ resource }) => resource.state === 'ready'),
      asleep: services.find(({ resource }) => resource.desired === 'absent' && resource.stopReason === 'idle'),
    };
  };
}

function byNewest({ resource: a }: FoundService, { resource: b }: FoundService): number {
  return b.generation - a.generation || b.createdAt - a.createdAt;
}
