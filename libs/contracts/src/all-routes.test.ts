import { describe, expect, it } from '@jest/globals';
import { allRoutes, publicRoutes } from './all-routes.ts';
import { serviceDefinition } from './services.ts';

/** Routes that show a secret once; it must not be stored anywhere (design, section 3). */
const SHOWS_A_SECRET = [
  'createApiKey',
  'createInvitation',
  'createInvitationLink',
  'createResetLink',
  'createWebhook',
  'rotateApiKey',
];

const routes = allRoutes();

describe('the routes', () => {
  it('have names and places of their own', () => {
    const names = routes.map(({ operationId }) => operationId);
    const places = routes.map(({ method, path }) => `${method} ${path.replace(/:\w+/g, ':')}`);
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(places).size).toBe(places.length);
  });

  it('are answered by the gateway, or by a service whose address it has', () => {
    const unreachable = publicRoutes().filter(
      ({ service }) => service !== 'gateway' && !serviceDefinition(service).isCalled,
    );
    expect(unreachable).toEqual([]);
  });

  it('honour an Idempotency-Key wherever a POST creates', () => {
    const creating = publicRoutes().filter(({ method, responses }) => method === 'post' && 201 in responses);
    const forgetting = creating.filter(({ idempotent }) => idempotent !== true);
    expect(forgetting.map(({ operationId }) => operationId).toSorted()).toEqual(SHOWS_A_SECRET);
  });
});
