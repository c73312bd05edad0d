import { describe, expect, it } from '@jest/globals';
import { PERMISSIONS, SCOPES, type Permission, type Scope } from '@clew/contracts';
import type { Call, CallService } from './caller.ts';
import { keyWith, service, userWith } from './identities.ts';

/** Route with its required rights, and its status for callers who have them. */
export interface GuardedRoute {
  call: Call;
  needs: { readonly scope: Scope; readonly permission: Permission };
  answers: number;
}

export interface AccessOptions {
  call: CallService;
  /** Project that the caller's identity does not give access to. */
  otherProjectId: string;
}

/** Tests that each route is open to callers with the required rights, and to nobody else. */
export function describeAccess(routes: readonly GuardedRoute[], { call: send, otherProjectId }: AccessOptions): void {
  const named = routes.map((route) => ({ name: `${route.call.method ?? 'GET'} ${route.call.path}`, ...route }));
  describe.each(named)('$name', ({ call, needs, answers }) => {
    it('answers those who have the scope or the permission', async () => {
      for (const principal of [keyWith(needs.scope), userWith(needs.permission)]) {
        expect(await send({ ...call, principal })).toMatchObject({ status: answers });
      }
    });

    it('answers 403, and names what is missing, to those who have everything else', async () => {
      const scopes = SCOPES.filter((scope) => scope !== needs.scope);
      const permissions = PERMISSIONS.filter((permission) => permission !== needs.permission);
      expect(await send({ ...call, principal: keyWith(...scopes) })).toMatchObject({
        status: 403,
        body: { code: 'FORBIDDEN', message: `The scope ${needs.scope} is required` },
      });
      expect(await send({ ...call, principal: userWith(...permissions) })).toMatchObject({
        status: 403,
        body: { code: 'FORBIDDEN', message: `The permission ${needs.permission} is required` },
      });
    });

    it('answers 401 without identity', async () => {
      expect(await send({ ...call, principal: null })).toMatchObject({
        status: 401,
        body: { code: 'UNAUTHENTICATED' },
      });
    });

    it('answers 404 to the identity of another project, of no project, and of a service', async () => {
      const stranger = await send({ ...call, identityProject: otherProjectId });
      const anybody = await send({ ...call, projectId: 'prj_1', identityProject: otherProjectId });
      const worker = await send({ ...call, principal: service('jobs-worker') });
      for (const { status, body } of [stranger, anybody, worker]) {
        expect({ status, code: body['code'] }).toEqual({ status: 404, code: 'NOT_FOUND' });
      }
    });
  });
}
