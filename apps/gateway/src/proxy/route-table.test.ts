import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { publicRoutes } from '@clew/contracts/all-routes';
import { AppError } from '@clew/kernel';
import { resolveRoute, type GatewayRoute } from './route-table.ts';

function outcome(path: string, method = 'GET'): GatewayRoute | string {
  try {
    return resolveRoute(method, path);
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

const proxied = (upstream: string, routeClass: string, projectId?: string) => ({
  kind: 'proxied',
  upstream,
  routeClass,
  projectId,
});

/** Paths, among those below, that are called with POST; the others are called with GET. */
const POSTED = ['/import', '/imports', '/batch', '/trials', 'completions', '/embeddings', '/transcriptions'];

const WORKBENCH = { kind: 'workbench' };

const PAGE = { kind: 'open', sameOrigin: true, isPage: true };

const inference = (routeClass: string) => ({ ...proxied('model-runtime-svc', routeClass), errorFormat: 'openai' });

describe('resolveRoute', () => {
  it.each([
    ['/v1/traces', proxied('telemetry-ingest', 'otlp')],
    ['/v1/logs', proxied('telemetry-ingest', 'otlp')],
    ['/v1/metrics', proxied('telemetry-ingest', 'otlp')],
    ['/v1/projects/p/conversations', proxied('telemetry-warehouse', 'json', 'p')],
    ['/v1/projects/p/conversations/c', proxied('telemetry-warehouse', 'json', 'p')],
    ['/v1/projects/p/conversations/import', proxied('telemetry-ingest', 'stream', 'p')],
    ['/v1/projects/p/conversations/import/x', proxied('telemetry-warehouse', 'json', 'p')],
    ['/v1/projects/p/traces/t', proxied('telemetry-warehouse', 'json', 'p')],
    ['/v1/projects/p/datasets', proxied('datasets-svc', 'json', 'p')],
    ['/v1/projects/p/datasets/d/examples/e', proxied('datasets-svc', 'json', 'p')],
    ['/v1/projects/p/datasets/d/examples/batch', proxied('datasets-svc', 'batch', 'p')],
    ['/v1/projects/p/datasets/d/imports', proxied('datasets-svc', 'stream', 'p')],
    ['/v1/projects/p/datasets/d/export', proxied('datasets-svc', 'stream', 'p')],
    ['/v1/projects/p/datasets/d/versions/export', proxied('datasets-svc', 'json', 'p')],
    ['/v1/projects/p/diagnostics/findings/f', proxied('diagnostics-svc', 'json', 'p')],
    ['/v1/models', inference('json')],
    ['/v1/chat/completions', inference('inference')],
    ['/v1/completions', inference('inference')],
    ['/v1/embeddings', inference('inference')],
    ['/v1/audio/transcriptions', inference('audio')],
    ['/v1/chat', { kind: 'own', projectId: undefined }],
    ['/v1/chat/completions/x', { kind: 'own', projectId: undefined }],
    ['/v1/chat%2Fcompletions', { kind: 'own', projectId: undefined }],
    ['/v1/projects/p/models/catalog', proxied('model-runtime-svc', 'json', 'p')],
    ['/v1/projects/p/models/m/profiles/q/trials', proxied('model-runtime-svc', 'audio', 'p')],
    ['/v1/webhooks/github/con_1', { ...proxied('diagnostics-svc', 'json'), isOpen: true }],
    ['/v1/webhooks/github', { kind: 'own', projectId: undefined }],
    ['/v1/webhooks/github/con_1/x', { kind: 'own', projectId: undefined }],
    ['/v1/projects', { kind: 'own', projectId: undefined }],
    ['/v1/projects/p', { kind: 'own', projectId: 'p' }],
    ['/v1/projects/p/api-keys/k', { kind: 'own', projectId: 'p' }],
    ['/v1/me', { kind: 'own', projectId: undefined }],
    ['/v1/traces/x', { kind: 'own', projectId: undefined }],
    ['/healthz', { kind: 'public' }],
    ['/readyz', { kind: 'public' }],
    ['/openapi.json', { kind: 'public' }],
    ['/docs', { kind: 'public' }],
    ['/docs/', { kind: 'public' }],
    ['/docs/swagger-ui.css', { kind: 'public' }],
    ['/', PAGE],
    ['/sign-in', PAGE],
    ['/sign-in/link', PAGE],
    ['/setup', PAGE],
    ['/SETUP', WORKBENCH],
    ['/setups', WORKBENCH],
    ['/v1/auth/methods', { kind: 'open' }],
    ['/v1/auth/nothing', { kind: 'own', projectId: undefined }],
    ['/account', PAGE],
    ['/p/prj_1/findings', WORKBENCH],
    ['/assets/index-0.js', WORKBENCH],
    ['/p/../v1', 'BAD_REQUEST'],
    ['/assets/%2e%2e/x', 'BAD_REQUEST'],
    ['/assets/..%2fx', 'BAD_REQUEST'],
    ['/assets//x', 'BAD_REQUEST'],
    ['/assets/x%5cy', 'BAD_REQUEST'],
    ['/metrics', 'NOT_FOUND'],
    ['/metrics/x', 'NOT_FOUND'],
    ['/healthz/x', 'NOT_FOUND'],
    ['/openapi.json/x', 'NOT_FOUND'],
    ['/v1', 'NOT_FOUND'],
    ['/v2/projects', WORKBENCH],
    ['/HEALTHZ', WORKBENCH],
    ['/docsearch', WORKBENCH],
  ])('%s', (path, expected) => {
    const posts = POSTED.some((suffix) => path.endsWith(suffix));
    expect(outcome(path, posts ? 'POST' : 'GET')).toEqual(expected);
  });

  it('takes the class of the method, and leaves a method that is not served to the service', () => {
    expect(outcome('/v1/projects/p/conversations/import', 'GET')).toEqual(proxied('telemetry-warehouse', 'json', 'p'));
    expect(outcome('/v1/projects/p/datasets/d/export', 'HEAD')).toEqual(proxied('datasets-svc', 'stream', 'p'));
    expect(outcome('/v1/projects/p/datasets/d/export', 'DELETE')).toEqual(proxied('datasets-svc', 'stream', 'p'));
  });

  it('leads each public route of the contracts to the service that its spec names', () => {
    for (const spec of publicRoutes()) {
      const { service, routeClass = 'json', method, access } = spec;
      const path = spec.path.replace(/:(\w+)/g, 'x');
      const own = { kind: access.kind === 'public' ? 'open' : 'own' };
      const expected = service === 'gateway' ? own : { kind: 'proxied', upstream: service, routeClass };
      expect({ path, route: outcome(path, method.toUpperCase()) }).toMatchObject({ path, route: expected });
    }
  });

  it('takes the project id as the services will decode it', () => {
    expect(outcome('/v1/projects/a%62c/traces')).toMatchObject({ projectId: 'abc' });
    expect(outcome('/v1/projects/%C3%A9/traces')).toMatchObject({ projectId: 'é' });
  });

  it('calls nothing public that could be resolved to something else', () => {
    const parts = fc.constantFrom('docs', '..', '.', '%2e%2e', '', 'healthz', 'v1', 'metrics', '%2F', '%5c');
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 5 }), (segments) => {
        const path = `/${segments.join('/')}`;
        const route = outcome(path);
        fc.pre(typeof route !== 'string' && route.kind === 'public');
        const resolved = new URL(path.replaceAll('%2F', '/').replaceAll('%5c', '/'), 'http://x').pathname;
        expect(resolved).toMatch(/^\/(?:docs(?:\/.*)?|healthz|metrics)$/);
      }),
      { numRuns: 50 },
    );
  });

  it('answers any path, or refuses it with a meaning', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void outcome(`/${text}`)));
    fc.assert(fc.property(fc.webPath(), (path) => void outcome(path)));
  });
});
