import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { getDiagnosticFigures, getTelemetryFigures, type HealthSignals } from '@clew/contracts';
import { deadLetterQueueOf, QUEUES, type Broker } from '@clew/messaging';
import { fixedClock, useTestEnvironment, type FixedClock } from '@clew/testing';
import { openTestBroker } from '@clew/testing-host';
import type { BootstrapResult } from '../bootstrap.ts';
import { makeWorkspace, startTestGateway, type TestGateway } from '../test-support/gateway.ts';
import { startUpstream, type Upstream } from '../test-support/upstream.ts';

const environment = useTestEnvironment();
const MAX_AGE_MS = 60_000;
const MAX_RETENTION_AGE_MS = 3_600_000;
const NOTHING = { backlog: 0, oldestAgeMs: 0, givenUp: 0 };

/** Figures that the services answer. */
let figures = healthyFigures();
/** Share of each project in those figures. */
const shares = new Map<string, typeof NOTHING>();
let areAway = false;
let clock: FixedClock;
let gateway: TestGateway;
let services: Upstream;
let stack: BootstrapResult;
let broker: Broker;

function healthyFigures() {
  const ran = { ...NOTHING, lastRunAt: 1_000 as number | null };
  return {
    assembly: { ...NOTHING },
    analyses: { ...NOTHING },
    repairs: { ...NOTHING } as typeof NOTHING | undefined,
    retention: { telemetry: { ...ran }, rawPayload: { ...ran }, maintenance: { ...ran } },
  };
}

beforeAll(async () => {
  clock = fixedClock(Date.now());
  services = await startUpstream((request, response) => {
    const { assembly, analyses, repairs, retention } = figures;
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://service');
    const share = shares.get(searchParams.get('projectId') ?? '');
    const body =
      pathname === getTelemetryFigures.path
        ? { assembly, share, retention }
        : { analyses, share, repairs, repairShare: repairs && share };
    const isKnown = pathname === getTelemetryFigures.path || pathname === getDiagnosticFigures.path;
    response.writeHead(areAway || !isKnown ? 503 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  gateway = await startTestGateway(environment, {
    clock,
    variables: {
      TELEMETRY_WAREHOUSE_URL: services.url,
      DIAGNOSTICS_SVC_URL: services.url,
      SIGNAL_MAX_AGE_MS: String(MAX_AGE_MS),
      SIGNAL_MAX_RETENTION_AGE_MS: String(MAX_RETENTION_AGE_MS),
    },
  });
  stack = await makeWorkspace(gateway.database);
  broker = await openTestBroker(environment);
});
beforeEach(() => {
  figures = healthyFigures();
  areAway = false;
});
afterAll(async () => {
  await gateway.stop();
  await broker.close();
  await services.close();
});

async function signals(): Promise<HealthSignals> {
  const { status, body } = await gateway.ask<{ signals: HealthSignals }>(stack.apiKey, 'GET', '/v1/health/signals');
  expect(status).toBe(200);
  return body.signals;
}

/** Status of each signal, by name. */
async function statuses(): Promise<Record<string, string>> {
  const { dataRetention, ...others } = await signals();
  const all = [...Object.entries(others), ...Object.entries(dataRetention)];
  const live = await fetch(`${gateway.url}/healthz`);
  expect(live.status).toBe(200);
  return Object.fromEntries(all.map(([name, { status }]) => [name, status]));
}

const HEALTHY = {
  ...{ evidenceVisibility: 'ok', diagnosticExecution: 'ok', queueProcessing: 'ok', repairStatusSync: 'ok' },
  ...{ telemetry: 'ok', rawPayload: 'ok', maintenance: 'ok' },
};

async function onChannel<T>(work: (channel: Awaited<ReturnType<Broker['openChannel']>>) => Promise<T>): Promise<T> {
  const channel = await broker.openChannel();
  try {
    return await work(channel);
  } finally {
    await channel.close();
  }
}

/** Puts a message in a queue that nobody consumes. */
async function put(queue: string): Promise<void> {
  await onChannel(async (channel) => {
    channel.sendToQueue(queue, Buffer.from('{}'));
    await channel.waitForConfirms();
  });
}

const empty = (queue: string) => onChannel((channel) => channel.purgeQueue(queue));

describe('health signals', () => {
  it('say where repair status sync is not mounted', async () => {
    figures = { ...healthyFigures(), repairs: undefined };
    expect(await statuses()).toEqual({ ...HEALTHY, repairStatusSync: 'not_mounted' });
  });

  it('are all good while nothing waits for too long', async () => {
    expect(await statuses()).toEqual(HEALTHY);
    expect((await signals()).queueProcessing.queues.map(({ queue }) => queue)).toEqual(
      expect.arrayContaining([QUEUES.spansReceived.name, QUEUES.analysis.name, QUEUES.extraction.name]),
    );
  });

  const late = { backlog: 3, oldestAgeMs: MAX_AGE_MS + 1, givenUp: 0 };
  it.each([
    ['evidenceVisibility', () => (figures.assembly = late)],
    ['diagnosticExecution', () => (figures.analyses = late)],
    ['repairStatusSync', () => (figures.repairs = late)],
    ['repairStatusSync', () => (figures.repairs = { ...NOTHING, givenUp: 1 })],
    ['evidenceVisibility', () => (figures.assembly = { ...NOTHING, givenUp: 1 })],
    ['telemetry', () => Object.assign(figures.retention.telemetry, { oldestAgeMs: MAX_RETENTION_AGE_MS + 1 })],
    ['rawPayload', () => Object.assign(figures.retention.rawPayload, { oldestAgeMs: MAX_RETENTION_AGE_MS + 1 })],
    ['maintenance', () => Object.assign(figures.retention.maintenance, { oldestAgeMs: MAX_RETENTION_AGE_MS + 1 })],
  ])('%s alone goes bad by its own fault, and good with its end', async (name, fault) => {
    fault();
    expect(await statuses()).toEqual({ ...HEALTHY, [name]: 'bad' });
    figures = healthyFigures();
    expect(await statuses()).toEqual(HEALTHY);
  });

  it('queue processing goes bad where a queue holds messages and does not become emptier', async () => {
    await put(QUEUES.analysis.name);
    await statuses();
    clock.advance(MAX_AGE_MS);
    expect(await statuses()).toEqual(HEALTHY);
    clock.advance(1);
    expect(await statuses()).toEqual({ ...HEALTHY, queueProcessing: 'bad' });
    const { queueProcessing } = await signals();
    expect(queueProcessing.reason).toContain(QUEUES.analysis.name);
    expect(queueProcessing.queues.find(({ queue }) => queue === QUEUES.analysis.name)).toMatchObject({
      ...{ depth: 1, oldestAgeMs: MAX_AGE_MS + 1, deadLetters: 0, consumers: 0, status: 'bad' },
    });
    await empty(QUEUES.analysis.name);
    expect(await statuses()).toEqual(HEALTHY);
  });

  it('queue processing goes bad with a dead letter, until somebody has seen to it', async () => {
    const dead = deadLetterQueueOf(QUEUES.extraction.name);
    await put(dead);
    expect(await statuses()).toEqual({ ...HEALTHY, queueProcessing: 'bad' });
    await empty(dead);
    expect(await statuses()).toEqual(HEALTHY);
  });

  it.each([QUEUES.spansReceived.name, QUEUES.spansReceivedBulk.name])(
    'evidence that waits in %s counts as not visible',
    async (queue) => {
      await put(queue);
      await statuses();
      clock.advance(MAX_AGE_MS + 1);
      expect(await statuses()).toEqual({ ...HEALTHY, evidenceVisibility: 'bad', queueProcessing: 'bad' });
      await empty(queue);
      expect(await statuses()).toEqual(HEALTHY);
    },
  );

  it('are unknown while a service does not answer, and the others are told all the same', async () => {
    areAway = true;
    const unknown = [
      'evidenceVisibility',
      'diagnosticExecution',
      'repairStatusSync',
      'telemetry',
      'rawPayload',
      'maintenance',
    ];
    expect(await statuses()).toEqual({ ...HEALTHY, ...Object.fromEntries(unknown.map((name) => [name, 'unknown'])) });
    areAway = false;
    expect(await statuses()).toEqual(HEALTHY);
  });

  it('tell those who do not administer the workspace the states, and no figure of what others do', async () => {
    const path = `/v1/projects/${stack.projectId}/api-keys`;
    const body = { name: 'reader', scopes: ['workspace:read'] };
    const reader = await gateway.ask<{ secret: string }>(stack.adminApiKey, 'POST', path, body);
    const statesFor = async (secret: string) => {
      const answer = await gateway.ask<{ signals: HealthSignals }>(secret, 'GET', '/v1/health/signals');
      expect(answer.status).toBe(200);
      return answer.body.signals;
    };
    await put(deadLetterQueueOf(QUEUES.extraction.name));
    for (const count of [1, 7]) {
      figures.analyses = { backlog: count, oldestAgeMs: MAX_AGE_MS + count, givenUp: count };
      Object.assign(figures.retention.telemetry, { backlog: count, oldestAgeMs: MAX_RETENTION_AGE_MS + count });
      const [all, states] = [await statesFor(stack.apiKey), await statesFor(reader.body.secret)];
      const names = ['evidenceVisibility', 'diagnosticExecution', 'queueProcessing'] as const;
      for (const name of names) expect(states[name].status).toBe(all[name].status);
      expect(states.dataRetention.telemetry).toEqual({ status: 'bad', reason: expect.any(String) });
      expect(states.queueProcessing.queues.map(({ queue, status }) => [queue, status])).toEqual(
        all.queueProcessing.queues.map(({ queue, status }) => [queue, status]),
      );
      // Digits occur only in queue names.
      expect(JSON.stringify(states).replaceAll(/"queue":"[^"]*"/g, '')).not.toMatch(/\d/);
      expect(all.diagnosticExecution).toMatchObject({ backlog: count, givenUp: count });
    }
    await empty(deadLetterQueueOf(QUEUES.extraction.name));
  });

  it('tell those who do not administer the workspace the share of their own project, and of no other', async () => {
    const make = async (projectIds: 'all' | string[]) => {
      const body = { name: 'reader', scopes: ['workspace:read'], projectIds };
      const path = `/v1/projects/${stack.projectId}/api-keys`;
      return (await gateway.ask<{ secret: string }>(stack.adminApiKey, 'POST', path, body)).body.secret;
    };
    const other = (await gateway.ask<{ id: string }>(stack.adminApiKey, 'POST', '/v1/projects', { name: 'Other' })).body
      .id;
    const [own, both, all] = [await make([stack.projectId]), await make([stack.projectId, other]), await make('all')];
    const mine = { backlog: 2, oldestAgeMs: 40, givenUp: 0 };
    shares.set(stack.projectId, mine).set(other, { ...mine, backlog: 99 });
    const sharesFor = async (secret: string, named?: string) => {
      const headers = named === undefined ? {} : { 'x-clew-project': named };
      const answered = await fetch(`${gateway.url}/v1/health/signals`, {
        headers: { authorization: `Bearer ${secret}`, ...headers },
      });
      const { signals: told } = (await answered.json()) as { signals?: HealthSignals };
      return [answered.status, told?.evidenceVisibility.share, told?.diagnosticExecution.share];
    };
    for (const secret of [own, both, all]) {
      expect(await sharesFor(secret, stack.projectId)).toEqual([200, mine, mine]);
      expect(await sharesFor(secret)).toEqual(secret === own ? [200, mine, mine] : [200, undefined, undefined]);
    }
    const foreign = (await makeWorkspace(gateway.database)).projectId;
    expect(await sharesFor(own, other)).toEqual([404, undefined, undefined]);
    for (const secret of [both, all]) expect(await sharesFor(secret, foreign)).toEqual([404, undefined, undefined]);
    shares.clear();
  });

  it('are for those who may read the workspace', async () => {
    const made = await gateway.ask<{ secret: string }>(
      stack.adminApiKey,
      'POST',
      `/v1/projects/${stack.projectId}/api-keys`,
      { name: 'sender', scopes: ['telemetry:write'] },
    );
    const { status } = await gateway.ask(made.body.secret, 'GET', '/v1/health/signals');
    expect(status).toBe(403);
  });
});
