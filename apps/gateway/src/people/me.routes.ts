import { getMe, updateMe, type Features } from '@clew/contracts';
import { answer, route, type Route } from '@clew/http';
import { callerOf, signedInOf, type GatewayCaller } from '../caller.ts';
import { originOf } from '../request-origin.ts';
import type { ProfileService } from './profile.service.ts';
import { permissionsIn } from './user.ts';

export interface Deployment {
  features: Features;
  version: string;
}

export function meRoutes(profile: ProfileService, deployment: Deployment): Route[] {
  return [
    route(getMe, async (_input, context) => answer(200, { ...viewOf(callerOf(context)), ...deployment })),
    route(updateMe, async ({ body }, context) => {
      const { name } = await profile.rename(signedInOf(context).user, body.name, originOf(context));
      return answer(200, { ...viewOf(callerOf(context)), name, ...deployment });
    }),
  ];
}

function viewOf({ principal, projectIds, signedIn }: GatewayCaller) {
  const rights =
    principal.kind === 'key' ? { scopes: [...principal.scopes] } : { permissions: [...principal.permissions] };
  const reach = projectIds === 'all' ? ('all' as const) : [...projectIds];
  return { kind: principal.kind, id: principal.id, ...rights, projectIds: reach, ...personOf(signedIn) };
}

function personOf(signedIn: GatewayCaller['signedIn']) {
  if (signedIn === undefined) return {};
  const { name, email, owner, memberships } = signedIn.user;
  const byProject = memberships.map(({ projectId, role }) => ({
    ...{ projectId, role },
    permissions: [...(permissionsIn(signedIn.user, projectId) ?? [])],
  }));
  return { name, email, owner, ...(owner ? {} : { memberships: byProject }) };
}
