import { afterEach, describe, expect, it } from '@jest/globals';
import { HealthStatus } from '@clew/contracts';
import { createMetrics, createReadiness, NotReadyError, silentLogger, type ReadinessCheck } from '@clew/runtime';
import { createApi } from './api.ts';
import { operationsRouter, type OperationsOptions } from './operations.ts';
import { listen, type RunningServer } from './server.ts';

const running: RunningServer[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop()));
});

const failing: ReadinessCheck = {
  name: 'mongo',
  async check() {
    throw new Error('mongodb://user:secret@host is down');
  },
};

async function start(options: Partial<OperationsOptions> = {}): Promise<string> {
  const metrics = createMetrics('test');
  const operations = operationsRouter({
    info: { service: 'test', version: '1.2.3', deploymentTarget: 'server', startedAtMs: Date.now() },
    readiness: createReadiness([]),
    metrics,
    ...options,
  });
  const api = createApi({
    authenticate: () => undefined,
    logger: silentLogger(),
    routes: [],
    operations: [operations],
  });
  const server = await listen(api, { host: '127.0.0.1', port: 0 });
  running.push(server);
  return `http://127.0.0.1:${server.port}`;
}

describe('operations', () => {
  it('tell that the process lives, and nothing of what it depends on', async () => {
    const url = await start({ readiness: createReadiness([failing]) });
    const response = await fetch(`${url}/healthz`);
    expect(response.status).toBe(200);
    expect(HealthStatus.parse(await response.json())).toMatchObject({ service: 'test', version: '1.2.3' });
  });

  it('answer HEAD as well, as some probes ask', async () => {
    const url = await start();
    for (const path of ['/healthz', '/readyz', '/metrics']) {
      expect((await fetch(`${url}${path}`, { method: 'HEAD' })).status).toBe(200);
    }
  });

  it('are there to be read: other methods are 405', async () => {
    const url = await start();
    for (const path of ['/healthz', '/readyz', '/metrics']) {
      const response = await fetch(`${url}${path}`, { method: 'POST' });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    }
  });

  it('answer in plain text, or on another path, where the specification says so', async () => {
    const plain = await start({ health: { path: '/healthz', format: 'text' } });
    expect(await (await fetch(`${plain}/healthz`)).text()).toBe('healthz: ok');
    const warehouse = await start({ health: { path: '/health', format: 'json' } });
    expect((await fetch(`${warehouse}/health`)).status).toBe(200);
    expect((await fetch(`${warehouse}/healthz`)).status).toBe(404);
  });

  it('answer 503 when only a restart helps', async () => {
    const url = await start({ isAlive: () => false });
    const response = await fetch(`${url}/healthz`);
    expect([response.status, HealthStatus.parse(await response.json())]).toMatchObject([503, { status: 'stuck' }]);
    const plain = await start({ isAlive: () => false, health: { path: '/healthz', format: 'text' } });
    expect(await (await fetch(`${plain}/healthz`)).text()).toBe('healthz: stuck');
  });

  it('answer 503 while a check fails, naming it without its secrets', async () => {
    const url = await start({ readiness: createReadiness([failing]) });
    const response = await fetch(`${url}/readyz`);
    const body = (await response.json()) as { reasons: Record<string, string> };
    expect([response.status, body]).toMatchObject([503, { ready: false, checks: { mongo: 'failing' } }]);
    expect(body.reasons['mongo']).toBe('it failed, as the log of the process tells');
  });

  it('say why a check fails, where the reason is meant for anybody', async () => {
    const away: ReadinessCheck = {
      name: 'broker',
      check: () =>
        Promise.reject(new NotReadyError('The broker is not there', { cause: new Error('amqp://u:secret@h') })),
    };
    const url = await start({ readiness: createReadiness([away]) });
    const body: unknown = await (await fetch(`${url}/readyz`)).json();
    expect(body).toEqual({
      ready: false,
      checks: { broker: 'failing' },
      reasons: { broker: 'The broker is not there' },
    });
  });

  it('show callers from outside no metrics', async () => {
    const info = { service: 'test', version: '1', deploymentTarget: 'server', startedAtMs: Date.now() } as const;
    const operations = [operationsRouter({ info, readiness: createReadiness([]) })];
    const api = createApi({ authenticate: () => undefined, logger: silentLogger(), routes: [], operations });
    const server = await listen(api, { host: '127.0.0.1', port: 0 });
    running.push(server);
    const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${server.port}${path}`)).status;
    expect([await statusOf('/readyz'), await statusOf('/metrics')]).toEqual([200, 404]);
  });

  it('show the metrics of the process', async () => {
    const url = await start();
    const response = await fetch(`${url}/metrics`);
    expect(response.headers.get('content-type')).toContain('text/plain');
    expect(await response.text()).toContain('process_resident_memory_bytes');
  });
});
