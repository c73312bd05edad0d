import { spawn, type ChildProcess } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { addressVariable, CALLED_SERVICES } from '@clew/contracts';
import { HealthStatus } from '@clew/contracts';
import { createTcpFault, eventually, useTestEnvironment } from '@clew/testing';
import type { BootstrapResult } from './bootstrap.ts';
import { TEST_AUTH_SECRET } from './test-support/gateway.ts';
import { openRaw, sendRaw } from './test-support/raw-http.ts';
import { closedPort, startUpstream, type Upstream } from './test-support/upstream.ts';
import { INDEX_HTML, makeWorkbenchFolder } from './test-support/workbench-folder.ts';

const environment = useTestEnvironment();
const folder = mkdtempSync(join(tmpdir(), 'clew-gateway-'));
const privateKeyFile = join(folder, 'gateway.pem');
let upstream: Upstream;
let finishAnswers: () => void = () => undefined;
const running = new Set<ChildProcess>();
let result: Promise<BootstrapResult> | undefined;

beforeAll(async () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  writeFileSync(privateKeyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  upstream = await startUpstream((request, response) => {
    if (request.url?.endsWith('slow') !== true) {
      response.end('{"ok":true}');
      return;
    }
    response.write('{"slow":');
    finishAnswers = () => response.end('true}');
  });
});
afterEach(async () => {
  for (const child of running) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});
afterAll(async () => {
  await upstream.close();
  rmSync(folder, { recursive: true });
});

function variables(overrides: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    HOST: '127.0.0.1',
    OPERATIONS_PORT: '0',
    MONGO_URL: environment.mongoUrl,
    MONGO_DATABASE: environment.database,
    AMQP_URL: environment.amqpUrl,
    AUTH_SECRET: TEST_AUTH_SECRET,
    IDENTITY_PRIVATE_KEY_FILE: privateKeyFile,
    ...Object.fromEntries(CALLED_SERVICES.map((name) => [addressVariable(name), upstream.url])),
    ...overrides,
  };
}

function run(script: string, env: NodeJS.ProcessEnv, args: readonly string[] = []) {
  const file = join(import.meta.dirname, `${script}.ts`);
  const child = spawn(process.execPath, ['--conditions=clew-source', file, ...args], { env });
  const output = { out: '', told: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.told += chunk.toString()));
  running.add(child);
  const ended = once(child, 'close').then(([code]) => {
    running.delete(child);
    return code as number | null;
  });
  return { child, output, ended };
}

/** Makes a project and its key in the database, which the first call migrates. */
function migrated(): Promise<BootstrapResult> {
  return (result ??= migrate());
}

async function migrate(): Promise<BootstrapResult> {
  expect(await run('migrate', variables()).ended).toBe(0);
  const { output, ended } = run('bootstrap', variables(), ['--second-project', 'Second', '--output', 'json']);
  expect(await ended).toBe(0);
  return JSON.parse(output.out) as BootstrapResult;
}

async function start(overrides: NodeJS.ProcessEnv = {}) {
  const port = await closedPort();
  const url = `http://127.0.0.1:${port}`;
  const gateway = run('main', variables({ PORT: String(port), ...overrides }));
  await eventually(async () => expect((await fetch(`${url}/healthz`)).status).toBe(200), { timeoutMs: 30_000 });
  return { ...gateway, url, port };
}

describe('the process', () => {
  it('lives before its database has been migrated, and is ready only then', async () => {
    const { url } = await start();
    expect((await fetch(`${url}/readyz`)).status).toBe(503);
    await migrated();
    await eventually(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200), { timeoutMs: 10_000 });
    const health = HealthStatus.parse(await (await fetch(`${url}/healthz`)).json());
    expect(health).toMatchObject({ status: 'ok', service: 'gateway', deploymentTarget: 'server' });
  }, 90_000);

  it('tells its metrics at the operations port alone', async () => {
    const operations = await closedPort();
    const { url } = await start({ OPERATIONS_PORT: String(operations) });
    const statusesAt = (base: string) =>
      Promise.all(['/healthz', '/metrics'].map(async (path) => (await fetch(`${base}${path}`)).status));
    expect(await statusesAt(url)).toEqual([200, 404]);
    expect(await statusesAt(`http://127.0.0.1:${operations}`)).toEqual([200, 200]);
  }, 90_000);

  it('serves while the broker is away', async () => {
    const { apiKey, projectId } = await migrated();
    const { url } = await start({ AMQP_URL: `amqp://127.0.0.1:${await closedPort()}` });
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
    expect((await fetch(`${url}/v1/projects/${projectId}/traces`, { headers })).status).toBe(200);
    const keys = `${url}/v1/projects/${projectId}/api-keys`;
    const body = JSON.stringify({ name: 'n', scopes: ['workspace:read'] });
    const made = (await (await fetch(keys, { method: 'POST', headers, body })).json()) as { apiKey: { id: string } };
    expect((await fetch(`${keys}/${made.apiKey.id}`, { method: 'DELETE', headers })).status).toBe(204);
  }, 90_000);

  it('finishes what is in flight when it is told to stop, and ends with 0', async () => {
    const { apiKey, projectId } = await migrated();
    const { child, url, ended, output } = await start();
    const response = await fetch(`${url}/v1/projects/${projectId}/traces/slow`, {
      headers: { authorization: `Bearer ${apiKey}` },
    });
    child.kill('SIGTERM');
    await eventually(() => expect(fetch(`${url}/healthz`)).rejects.toThrow());
    finishAnswers();
    expect(await response.json()).toEqual({ slow: true });
    expect(await ended).toBe(0);
    expect(output.out).toContain('"msg":"stopped"');
    expect(output.out).not.toContain(apiKey.slice(20));
  }, 90_000);

  it('serves the Workbench of its folder, and does not start with one that is incomplete', async () => {
    const [whole, incomplete] = [makeWorkbenchFolder(), makeWorkbenchFolder({ 'assets/index-5f3a.js': undefined })];
    const { url } = await start({ WORKBENCH_DIR: whole });
    expect(await (await fetch(url)).text()).toBe(INDEX_HTML);
    const { output, ended } = run('main', variables({ PORT: String(await closedPort()), WORKBENCH_DIR: incomplete }));
    expect(await ended).toBe(1);
    expect(output.told + output.out).toContain(`WORKBENCH_DIR: ${incomplete} lacks assets/index-5f3a.js`);
    for (const folder of [whole, incomplete]) rmSync(folder, { recursive: true });
  }, 90_000);

  it('outlives what is not HTTP', async () => {
    const { port, url, child } = await start();
    for (const bytes of [
      '\0\0\0\0',
      'GET / HTTP/1.1\r\nHost: x\r\nbroken\r\n\r\n',
      `GET /${'a'.repeat(200_000)} HTTP/1.1\r\n\r\n`,
    ]) {
      const answer = await sendRaw(port, bytes);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
    }
    for (let count = 0; count < 50; count += 1) {
      const connection = await openRaw(port);
      connection.send('POST /v1/traces HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf');
      connection.socket.resetAndDestroy();
    }
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect(child.exitCode).toBeNull();
  }, 90_000);
});

describe('a migration', () => {
  const faultBeforeMongo = async () => {
    const { hostname, port } = new URL(environment.mongoUrl);
    const fault = await createTcpFault({ target: { host: hostname, port: Number(port) } });
    fault.block();
    return { fault, url: fault.through(environment.mongoUrl) };
  };

  it('waits for a database that is away, and goes on once it is there', async () => {
    const { fault, url } = await faultBeforeMongo();
    const { ended, output } = run('migrate', variables({ MONGO_URL: url }));
    await eventually(() => expect(output.out).toContain('the database is away'), { timeoutMs: 30_000 });
    fault.unblock();
    expect(await ended).toBe(0);
    await fault.close();
  }, 90_000);

  it('says so in one line once it has waited for too long, and ends with 1', async () => {
    const { fault, url } = await faultBeforeMongo();
    const { ended, output } = run('migrate', variables({ MONGO_URL: url, MIGRATION_WAIT_MS: '500' }));
    expect(await ended).toBe(1);
    expect(output.told).toBe('The database could not be reached within 0.5 s; nothing was migrated\n');
    await fault.close();
  }, 90_000);
});

describe('a process that is not configured', () => {
  it('does not start, and names what is wrong without its value', async () => {
    const { output, ended } = run(
      'main',
      variables({ AUTH_SECRET: 'hunter2', PORT: 'many', TELEMETRY_INGEST_URL: '' }),
    );
    expect(await ended).toBe(1);
    expect(output.told).toMatch(/^The configuration is not valid:\n/);
    for (const name of ['AUTH_SECRET', 'PORT', 'TELEMETRY_INGEST_URL']) expect(output.told).toContain(`- ${name}: `);
    expect(output.told).not.toContain('hunter2');
  });

  it.each([
    ['a missing file', () => join(folder, 'nowhere'), 'cannot be read (ENOENT)'],
    ['a folder', () => folder, 'cannot be read (EISDIR)'],
    ['a file of something else', () => import.meta.filename, 'is no PKCS8 PEM file of a P-256 key'],
  ])('tells in one line that the file of its key is %s', async (_kind, fileOf, reason) => {
    const { output, ended } = run('main', variables({ IDENTITY_PRIVATE_KEY_FILE: fileOf() }));
    expect(await ended).toBe(1);
    expect(output.told).toBe(`IDENTITY_PRIVATE_KEY_FILE: ${fileOf()} ${reason}\n`);
  });

  it('makes no key that could never work', async () => {
    const { output, ended } = run('bootstrap', variables({ API_KEY_ENVIRONMENT: 'Live_1' }));
    expect(await ended).toBe(1);
    expect(output.told).toContain('API_KEY_ENVIRONMENT');
  });
});
