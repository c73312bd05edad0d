import { listPrivateProjects } from '@clew/contracts';
import { answer, route, type Route } from '@clew/http';
import type { PrivacyService } from './privacy.service.ts';

export function privacyRoutes(privacy: PrivacyService): Route[] {
  return [route(listPrivateProjects, async ({ query }) => answer(200, await privacy.list(query)))];
}
