import { notFound } from '@clew/kernel';
import type { Database } from '@clew/persistence';
import type { HoldingStore } from '../resources/index.ts';
import type { ResourcesService } from './resources.service.ts';
import type { RequestOf } from './request.ts';
import type { ProfileRef } from './downloads.service.ts';

export interface ProfilesDependencies {
  database: Database;
  resourcesService: Pick<ResourcesService, 'node' | 'releaseIn'>;
  holdings: HoldingStore;
}

export type ProfilesService = ReturnType<typeof createProfilesService>;

export function createProfilesService({ database, resourcesService, holdings }: ProfilesDependencies) {
  const { node } = resourcesService;
  return {
    /** Gives back all that the project has of a profile: its service first, then its artifacts. */
    async remove(request: RequestOf, { modelId, profileId }: ProfileRef): Promise<void> {
      const { projectId } = request;
      await database.withTransaction(async (tx) => {
        const services = await holdings.heldOf(projectId, node, 'service', modelId, tx);
        const artifacts = await holdings.heldOf(projectId, node, 'artifact', modelId, tx);
        const own = [...services, ...artifacts].filter((holding) => holding.profileId === profileId);
        if (own.length === 0) throw notFound('NOT_FOUND', 'The project has nothing of this profile');
        for (const { resourceId } of own) await resourcesService.releaseIn(tx, { ...request, resourceId });
      });
    },
  };
}
