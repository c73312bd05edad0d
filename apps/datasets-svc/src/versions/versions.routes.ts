import { diffVersions, listVersions } from '@clew/contracts';
import { answer, route, type Route } from '@clew/http';
import type { VersionsService } from './versions.service.ts';

export function versionRoutes(versions: VersionsService): Route[] {
  return [
    route(listVersions, async ({ params, query }) => answer(200, await versions.list(params, query))),
    route(diffVersions, async ({ params, query }) => answer(200, await versions.diff(params, query))),
  ];
}
