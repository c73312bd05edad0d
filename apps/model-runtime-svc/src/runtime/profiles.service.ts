import type { ProfileRemoval } from '@clew/contracts';
import type { Database } from '@clew/persistence';
import type { ResourcesService } from './resources.service.ts';
import type { RequestOf } from './request.ts';
import type { ProfileRef } from './downloads.service.ts';
import { downloadView, serviceView } from './views.ts';

export interface ProfilesDependencies {
  database: Database;
  resourcesService: Pick<ResourcesService, 'removeIn'>;
  /** Throws MODEL_NOT_FOUND or PROFILE_NOT_FOUND. */
  profileOf(projectId: string, ref: ProfileRef): Promise<unknown>;
}

export type ProfilesService = ReturnType<typeof createProfilesService>;

export function createProfilesService({ database, resourcesService, profileOf }: ProfilesDependencies) {
  return {
    /**
     * Gives back everything that the project has of a profile: its service first, then its artifacts. Resolves with the
     * resources being removed, undefined when the project has nothing left.
     */
    remove(request: RequestOf, ref: ProfileRef): Promise<ProfileRemoval | undefined> {
      return database.withTransaction(async (tx) => {
        const removal = { ...request, subject: ref };
        const service = await resourcesService.removeIn(tx, { ...removal, kind: 'service' });
        const download = await resourcesService.removeIn(tx, {
          ...{ ...removal, kind: 'artifact' },
          // A project with a service of the profile has, or had, its artifacts, so only this removal checks the
          // profile.
          requireKnown: () => profileOf(request.projectId, ref),
        });
        if (service === undefined && download === undefined) return undefined;
        return {
          service: service === undefined ? null : serviceView(service.holding, service.resource),
          download: download === undefined ? null : downloadView(download.holding, download.resource),
        };
      });
    },
  };
}
