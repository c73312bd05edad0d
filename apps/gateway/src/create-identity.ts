import type { KeyObject } from 'node:crypto';
import { createOutbox } from '@clew/persistence';
import { cacheLookups } from '@clew/runtime';
import type { ApiKeyStore } from './api-keys/api-keys.store.ts';
import { createAuditLog } from './audit/audit.ts';
import { createAuthenticator } from './auth/authenticator.ts';
import { createPeople } from './create-people.ts';
import { devicePage } from './devices/device-page.ts';
import { deviceRoutes } from './devices/devices.routes.ts';
import { createDevicesService } from './devices/devices.service.ts';
import { createDeviceStore } from './devices/devices.store.ts';
import type { GatewayDependencies } from './gateway-dependencies.ts';
import { createOidc, readWays } from './oidc/create-oidc.ts';
import { createUserStore } from './people/users.store.ts';
import type { ProjectStore } from './projects/projects.store.ts';
import { createSessionCookie } from './sessions/session-cookie.ts';
import { createSessionStore } from './sessions/sessions.store.ts';
import { createSignIn, tokensOf } from './sign-in/create-sign-in.ts';

interface IdentitySources {
  apiKeys: ApiKeyStore;
  projects: ProjectStore;
  pepper: KeyObject;
}

export type Identity = ReturnType<typeof createIdentity>;

/** Authenticator, sign-in, the people themselves, and what all of them share. */
export function createIdentity(deps: GatewayDependencies, { apiKeys, projects, pepper }: IdentitySources) {
  const { config, database, clock, logger, metrics } = deps;
  const users = createUserStore(database);
  const sessionStore = createSessionStore(database);
  const cookie = createSessionCookie(config.PUBLIC_URL);
  const tokens = tokensOf(config);
  const authenticator = createAuthenticator({
    ...{ apiKeys, users, sessions: sessionStore, cookie, tokens, pepper, clock, logger },
    cacheMs: config.API_KEY_CACHE_MS,
    lookups: { keys: cacheLookups(metrics, 'api keys'), sessions: cacheLookups(metrics, 'sessions') },
  });
  const audit = createAuditLog(database);
  const outbox = createOutbox(database);
  const { ways, providers } = readWays(config);
  const signIn = createSignIn({
    ...{ config, database, clock, logger, audit, outbox, users, sessionStore, projects, tokens, cookie, authenticator },
    ...{ ways, version: deps.info.version },
  });
  const onChanged = authenticator.forget;
  const managers = new Set(providers.flatMap(({ id, roleMapping }) => (roleMapping === undefined ? [] : [id])));
  const shared = { ...deps, apiKeys, projects, users, audit, outbox, tokens, cookie, means: signIn.means };
  const people = createPeople({ ...shared, onChanged, ways, isManager: (id) => managers.has(id) });
  const { outageError } = deps.api;
  const oidc = createOidc({ ...shared, providers, onUserChanged: onChanged, outageError });
  const devices = createDevicesService({
    ...{ ...shared, ...signIn.means, pepper, devices: createDeviceStore(database) },
    ...{ environment: config.API_KEY_ENVIRONMENT, publicUrl: config.PUBLIC_URL },
  });
  // Devices that a person connects.
  const connecting = {
    routes: deviceRoutes(devices),
    pages: [devicePage({ authenticator, devices, projectsOf: signIn.projectsOf })],
  };
  return {
    users,
    audit,
    outbox,
    authenticator,
    signIn,
    people,
    oidc,
    connecting,
    start: () => [people.start(), oidc.start()],
  };
}
