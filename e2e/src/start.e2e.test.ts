import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SERVICE_NAMES, serviceDefinition, type ServiceName } from '@clew/contracts';
import type { ErrorBody } from '@clew/kernel';
import { startBeside, type ProcessBeside } from '@clew/stack';
import { createTcpFault, eventually, type TcpFault } from '@clew/testing';
import { runningStack, stackHome } from './support/stack.ts';
import { createTestProject, type TestProject } from './support/test-project.ts';

/** Processes that are told to end while they wait: all of them in the long tier. */
const ENDED: readonly ServiceName[] =
  process.env['CLEW_SHUTDOWN'] === 'all' ? SERVICE_NAMES : ['gateway', 'datasets-svc', 'jobs-worker'];
const TIMEOUT_MS = 240_000;
const WAIT = { timeoutMs: 90_000, intervalMs: 200 };

let project: TestProject;
let mongo: TcpFault;
let broker: TcpFault;
const folder = mkdtempSync(join(tmpdir(), 'clew-start-'));
const started: ProcessBeside[] = [];

beforeAll(async () => {
  project = await createTestProject('start');
  const { mongoUrl, amqpUrl } = runningStack();
  [mongo, broker] = [await faultBefore(mongoUrl), await faultBefore(amqpUrl)];
}, TIMEOUT_MS);
afterAll(async () => {
  await Promise.all(started.map((each) => each.stop()));
  await Promise.all([mongo.close(), broker.close()]);
  rmSync(folder, { recursive: true });
}, TIMEOUT_MS);

function faultBefore(url: string): Promise<TcpFault> {
  const { hostname, port } = new URL(url);
  return createTcpFault({ target: { host: hostname, port: Number(port) } });
}

/** Starts a process without database and broker, and resolves once it is alive. */
async function startWithout(name: ServiceName, settings: NodeJS.ProcessEnv = {}): Promise<ProcessBeside> {
  for (const server of [mongo, broker]) server.block();
  const { mongoUrl, amqpUrl } = runningStack();
  const servers = { MONGO_URL: mongo.through(mongoUrl), AMQP_URL: broker.through(amqpUrl) };
  // The agent of the stack already uses the default node.
  const node = { MODEL_NODE: 'node-that-waits', MODEL_HOME: folder };
  const all = { ...servers, ...node, ...settings };
  const beside = await startBeside(stackHome(), name, all, { startedWhen: 'alive' });
  started.push(beside);
  return beside;
}

interface Readiness {
  ready: boolean;
  checks: Record<string, string>;
  reasons?: Record<string, string>;
}

/** Words of a process about itself while its servers are away, and how it ends afterwards. */
interface Began {
  readiness: Readiness;
  healthStatus: number;
  /** How it ends when it is told to, once it has become ready. */
  ending: Promise<string>;
}

async function readinessOf({ url }: ProcessBeside): Promise<Readiness> {
  return (await (await fetch(`${url}/readyz`)).json()) as Readiness;
}

async function askWhileItWaits(name: ServiceName) {
  const process = await startWithout(name);
  const { status } = await fetch(`${process.url}${serviceDefinition(name).health.path}`);
  return { name, process, readiness: await readinessOf(process), healthStatus: status };
}

async function endOnceReady(process: ProcessBeside): Promise<string> {
  await eventually(async () => expect(await readinessOf(process)).toMatchObject({ ready: true }), WAIT);
  return await process.end();
}

function comeBack(): void {
  for (const server of [mongo, broker]) server.unblock();
}

describe('a process whose database and broker are away when it starts', () => {
  const began = new Map<ServiceName, Began>();

  // Starts and ends all of them at once: each one waits for the same servers, and takes as long to end.
  beforeAll(async () => {
    const waiting = await Promise.all(SERVICE_NAMES.map(askWhileItWaits));
    comeBack();
    for (const { name, process, ...said } of waiting) {
      const ending = endOnceReady(process);
      ending.catch(() => undefined);
      began.set(name, { ...said, ending });
    }
  }, TIMEOUT_MS);

  it.each(SERVICE_NAMES)(
    '%s lives, says what it waits for, and goes on once that is there',
    async (name) => {
      const { database, needsBroker, worksOnDatabaseOf } = serviceDefinition(name);
      const { readiness, healthStatus, ending } = began.get(name)!;
      const { ready, checks, reasons } = readiness;
      expect(ready).toBe(false);
      const usesDatabase = database !== undefined || worksOnDatabaseOf !== undefined;
      expect([checks['mongo'], checks['broker']]).toEqual([
        usesDatabase ? 'failing' : undefined,
        needsBroker ? 'failing' : undefined,
      ]);
      if (usesDatabase) expect(reasons?.['mongo']).toBe('The database does not answer: no primary can be reached');
      if (needsBroker) expect(reasons?.['broker']).toBe('The broker, or its topology, is not there');
      expect(healthStatus).toBe(200);
      expect(await ending).toBe('exit code 0');
    },
    TIMEOUT_MS,
  );

  it(
    'asks its callers meanwhile to come back later, and serves them then',
    async () => {
      const datasets = await startWithout('datasets-svc');
      const gateway = await startBeside(stackHome(), 'gateway', { DATASETS_SVC_URL: datasets.url });
      const waiting = await startWithout('gateway');
      started.push(gateway);
      const path = `/v1/projects/${project.id}/datasets`;
      const ask = ({ url }: ProcessBeside) =>
        fetch(`${url}${path}`, { headers: { authorization: `Bearer ${project.apiKey}` } });
      for (const asked of [gateway, waiting]) {
        const refused = await ask(asked);
        const { code, requestId } = (await refused.json()) as ErrorBody;
        expect([refused.status, code, typeof requestId]).toEqual([503, 'UPSTREAM_UNAVAILABLE', 'string']);
        expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      }
      comeBack();
      for (const asked of [gateway, waiting]) {
        await eventually(async () => expect((await ask(asked)).status).toBe(200), WAIT);
      }
    },
    TIMEOUT_MS,
  );

  it(
    'ends when it is told to, while it waits, whichever it is',
    async () => {
      const waiting = await Promise.all(ENDED.map((name) => startWithout(name)));
      const ends = await Promise.all(waiting.map((each) => each.end()));
      expect(ends).toEqual(ENDED.map(() => 'exit code 0'));
      comeBack();
    },
    TIMEOUT_MS,
  );
});

describe('the outbox of a database', () => {
  // The gateway tells its parts at a port for operators.
  const names = SERVICE_NAMES.filter((name) => serviceDefinition(name).operationsPort === undefined);

  it.each(names)('is published by its owner alone: %s', async (name) => {
    const metrics = await (await fetch(`${runningStack().services[name]!.url}/metrics`)).text();
    const publishes = /^clew_part_beat_age_seconds\{[^}]*part="outbox"/m.test(metrics);
    expect(publishes).toBe(serviceDefinition(name).database !== undefined);
  });
});
