import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { provisionMongo, provisionRabbit } from '../handles.ts';
import { createPortBook } from '../system/ports.ts';
import { writeJson } from '../system/files.ts';
import { identifyProcess } from '../system/process-identity.ts';
import { pollUntil } from '../system/waiting.ts';
import { bootstrapCount, writeFakeApps } from '../test-support/fake-apps.ts';
import { useTemporaryDirectory } from '../test-support/temporary-directory.ts';
import type { AppPrograms } from './app-programs.ts';
import { APPS } from './apps.ts';
import { askSupervisor } from './control.ts';
import { createHome } from './home.ts';
import type { Home } from './home.ts';
import { createLineSink, createProgress } from './progress.ts';
import { readStackFile } from './stack-file.ts';
import type { StackFile } from './stack-file.ts';
import { supervise } from './supervise.ts';
import type { SuperviseOptions } from './supervise.ts';

const SERVERS_TIMEOUT_MS = 300_000;

const stops: (() => Promise<void>)[] = [];
// Runs before the directory is removed, because the servers still write to it.
afterAll(() => Promise.all(stops.map((stop) => stop())));
const directory = useTemporaryDirectory();
let servers: { MONGO_URL: string; AMQP_URL: string };
let gatewayPort: number;
let programs: AppPrograms;

beforeAll(async () => {
  programs = { appsDirectory: path.join(directory(), 'apps'), form: 'sources' };
  writeFakeApps(programs);
  gatewayPort = await createPortBook(path.join(directory(), 'ports.json')).claim('gateway');
  servers = await findServers();
}, SERVERS_TIMEOUT_MS);

async function findServers(): Promise<typeof servers> {
  const { CLEW_TEST_MONGO_URL, CLEW_TEST_AMQP_URL } = process.env;
  if (CLEW_TEST_MONGO_URL !== undefined && CLEW_TEST_AMQP_URL !== undefined) {
    return { MONGO_URL: CLEW_TEST_MONGO_URL, AMQP_URL: CLEW_TEST_AMQP_URL };
  }
  const home = path.join(directory(), 'servers');
  const [mongo, rabbit] = await Promise.all([provisionMongo({ home }), provisionRabbit({ home })]);
  stops.push(
    () => mongo.stop({ immediately: true }),
    () => rabbit.stop({ immediately: true }),
  );
  return { MONGO_URL: mongo.url, AMQP_URL: rabbit.amqpUrl };
}

interface Supervised {
  home: Home;
  ready: Promise<StackFile>;
  exitCode: Promise<number>;
  lines: string[];
}

function superviseIn(
  homeName: string,
  environment: NodeJS.ProcessEnv = {},
  options: Partial<SuperviseOptions> = {},
): Supervised {
  const home = createHome(path.join(directory(), homeName));
  const lines: string[] = [];
  const ready = Promise.withResolvers<StackFile>();
  const exitCode = supervise({
    home,
    env: { ...process.env, ...servers, CLEW_PORT: String(gatewayPort), CLEW_SEED: 'none', ...environment },
    progress: createProgress(createLineSink((line) => lines.push(line), { colored: false })),
    ...programs,
    build: false,
    ...options,
    onReady: ready.resolve,
  });
  exitCode.catch(ready.reject);
  ready.promise.catch(() => undefined);
  return { home, ready: ready.promise, exitCode, lines };
}

const WRITES_INDEX = `import { mkdirSync, writeFileSync } from 'node:fs';
mkdirSync('dist/assets', { recursive: true });
writeFileSync('dist/index.html', '<base href="/">');`;

/** Checkout with applications and a Workbench, whose build is the script. */
function writeCheckout(name: string, build: string): { options: Partial<SuperviseOptions> } {
  const repositoryRoot = path.join(directory(), `${name}-checkout`);
  const ofCheckout: AppPrograms = { appsDirectory: path.join(repositoryRoot, 'apps'), form: 'sources' };
  writeFakeApps(ofCheckout);
  const folder = path.join(ofCheckout.appsDirectory, 'workbench');
  fs.mkdirSync(folder);
  fs.writeFileSync(path.join(repositoryRoot, 'package.json'), '{"private":true,"workspaces":["apps/workbench"]}');
  fs.writeFileSync(
    path.join(folder, 'package.json'),
    '{"name":"@clew/workbench","type":"module","scripts":{"build":"node build.mjs"}}',
  );
  fs.writeFileSync(path.join(folder, 'build.mjs'), build);
  return { options: { ...ofCheckout, repositoryRoot, build: true } };
}

async function eventually(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  await pollUntil(async () => isTrue(), { intervalMs: 20, signal: AbortSignal.timeout(60_000) });
}

const isGone = (pid: number | null | undefined) => identifyProcess(pid ?? 0) === undefined;

describe('a stack', () => {
  let stack: Supervised;
  let file: StackFile;

  beforeAll(async () => {
    stack = superviseIn('main');
    file = await stack.ready;
  });

  const current = () => readStackFile(stack.home.directory);

  it('describes itself for scripts, readable by the user alone', () => {
    expect(current()).toEqual(file);
    expect(file).toMatchObject({
      gatewayUrl: `http://127.0.0.1:${gatewayPort}`,
      apiKey: 'clew_one',
      projectId: 'prj_1',
      otherProjectId: 'prj_2',
      otherApiKey: 'clew_two',
      mongoUrl: servers.MONGO_URL,
      amqpUrl: servers.AMQP_URL,
      form: 'sources',
    });
    expect(Object.values(file.services).every((service) => !isGone(service.pid))).toBe(true);
    expect((fs.statSync(stack.home.stackFile).mode & 0o777).toString(8)).toBe('600');
  });

  it('tells each application where the others are', async () => {
    const response = await fetch(`${file.gatewayUrl}/environment`);
    const environment = (await response.json()) as NodeJS.ProcessEnv;
    expect(environment).toMatchObject({
      TELEMETRY_INGEST_URL: file.services['telemetry-ingest']?.url,
      TELEMETRY_WAREHOUSE_URL: file.services['telemetry-warehouse']?.url,
      DIAGNOSTICS_SVC_URL: file.services['diagnostics-svc']?.url,
    });
  });

  it('starts an application that was killed again, and describes it anew', async () => {
    const killed = current()?.services['gateway']?.pid;
    process.kill(killed ?? 0, 'SIGKILL');
    await eventually(() => current()?.services['gateway']?.pid !== killed);
    expect((await fetch(`${file.gatewayUrl}/readyz`)).status).toBe(200);
  });

  it('restarts one application on request and leaves the others alone', async () => {
    const before = current();
    await askSupervisor(stack.home.socketFile, { command: 'restart', name: 'jobs-worker' });
    expect(isGone(before?.services['jobs-worker']?.pid)).toBe(true);
    expect(current()?.services['jobs-worker']?.pid).not.toBe(before?.services['jobs-worker']?.pid);
    expect(current()?.services['diagnostics-svc']).toEqual(before?.services['diagnostics-svc']);
  });

  it('runs as many workers as asked for', async () => {
    await askSupervisor(stack.home.socketFile, { command: 'scale', name: 'jobs-worker', count: 3 });
    const instances = current()?.services['jobs-worker']?.instances ?? [];
    expect(new Set(instances.map((instance) => instance.url)).size).toBe(3);
    await askSupervisor(stack.home.socketFile, { command: 'scale', name: 'jobs-worker', count: 1 });
    expect(instances.map((instance) => isGone(instance.pid))).toEqual([false, true, true]);
  });

  it('refuses to run an application twice that is called at one address', async () => {
    const scaling = askSupervisor(stack.home.socketFile, { command: 'scale', name: 'gateway', count: 2 });
    await expect(scaling).rejects.toThrow('cannot run more than once');
  });

  it('is the only one of its home directory', async () => {
    await expect(superviseIn('main').exitCode).rejects.toThrow('runs in');
    expect(current()?.supervisorPid).toBe(process.pid);
  });

  it('takes everything with it when it is stopped, and says so when all is gone', async () => {
    const last = current();
    await askSupervisor(stack.home.socketFile, { command: 'stop' });
    expect(await stack.exitCode).toBe(0);
    expect(Object.values(last?.services ?? {}).every((service) => isGone(service.pid))).toBe(true);
    expect(current()).toBeUndefined();
    expect(fs.existsSync(stack.home.socketFile)).toBe(false);
  });

  it('keeps its keys for the next start, and makes new ones when the database does not know them', async () => {
    const again = superviseIn('main');
    expect((await again.ready).apiKey).toBe('clew_one');
    expect(bootstrapCount(programs)).toBe(1);
    await askSupervisor(again.home.socketFile, { command: 'stop' });
    await again.exitCode;

    const elsewhere = superviseIn('main', { FAKE_ACCEPTED_KEY: 'clew_of_another_database' });
    await elsewhere.ready;
    expect(bootstrapCount(programs)).toBe(2);
    await askSupervisor(elsewhere.home.socketFile, { command: 'stop' });
    await elsewhere.exitCode;
  });
});

describe('a start', () => {
  it('that fails names the application, shows its log and leaves nothing running', async () => {
    const failing = superviseIn('broken', { FAKE_BROKEN_APP: 'diagnostics-svc' });
    await expect(failing.exitCode).rejects.toMatchObject({
      message: expect.stringContaining('diagnostics-svc ended with exit code 3'),
      logTail: ['this application is broken on purpose'],
    });
    await expect(fetch(`http://127.0.0.1:${gatewayPort}/readyz`)).rejects.toThrow();
    expect(fs.existsSync(failing.home.lockFile)).toBe(false);
  });

  it('begins to migrate the databases before the broker is there', async () => {
    const silent = net.createServer((socket) => socket.resume()).listen({ host: '127.0.0.1', port: 0 });
    await once(silent, 'listening');
    const { port } = silent.address() as net.AddressInfo;
    const environment = { AMQP_URL: `amqp://127.0.0.1:${port}/%2F`, MONGO_DATABASE: 'not_migrated_yet' };
    const apps = APPS.filter(({ name }) => ['gateway', 'jobs-worker'].includes(name));
    const events: string[] = [];
    const progress = createProgress(({ kind, step }) => events.push(`${step} ${kind}`));
    const starting = superviseIn('silent-broker', environment, { apps, progress });
    await expect(starting.exitCode).rejects.toThrow('no RabbitMQ takes clients there');
    expect(events.indexOf('migrations begin')).toBeGreaterThan(events.indexOf('MongoDB done'));
    expect(events.indexOf('migrations begin')).toBeLessThan(events.indexOf('RabbitMQ failed'));
    silent.close();
  });

  it('migrates what other sources have migrated, and leaves alone what these have', async () => {
    const { options } = writeCheckout('changing', WRITES_INDEX);
    const migrationsOf = async () => {
      const { home, ready, exitCode, lines } = superviseIn('changing', {}, options);
      await ready;
      await askSupervisor(home.socketFile, { command: 'stop' });
      await exitCode;
      return lines.find((line) => /[✓-] migrations/.test(line));
    };
    expect(await migrationsOf()).toContain('gateway');
    expect(await migrationsOf()).toContain('applied by an earlier start of these sources');
    fs.appendFileSync(path.join(String(options.appsDirectory), 'gateway', 'src', 'migrate.ts'), '// Changed.\n');
    expect(await migrationsOf()).toContain('gateway');
  });

  it('of what is built runs that, and says so', async () => {
    const built: AppPrograms = { appsDirectory: path.join(directory(), 'built-apps'), form: 'built' };
    writeFakeApps(built);
    const stack = superviseIn('built', {}, built);
    expect((await stack.ready).form).toBe('built');
    await askSupervisor(stack.home.socketFile, { command: 'stop' });
    await stack.exitCode;
  });

  it('of a checkout with the Workbench builds it, and gives it to the gateway alone', async () => {
    const { options } = writeCheckout('with-workbench', WRITES_INDEX);
    const stack = superviseIn('with-workbench', {}, options);
    const { gatewayUrl, workbenchUrl, services } = await stack.ready;
    expect(workbenchUrl).toBe(gatewayUrl);
    const folderOf = async (url = '') =>
      ((await (await fetch(`${url}/environment`)).json()) as NodeJS.ProcessEnv)['WORKBENCH_DIR'];
    expect(fs.readdirSync((await folderOf(gatewayUrl)) ?? '')).toContain('index.html');
    expect(await folderOf(services['datasets-svc']?.url)).toBeUndefined();
    await askSupervisor(stack.home.socketFile, { command: 'stop' });
    await stack.exitCode;
  });

  it('whose Workbench cannot be built says so, and serves the API', async () => {
    const { options } = writeCheckout('broken-workbench', "console.error('it is broken'); process.exit(1);");
    const stack = superviseIn('broken-workbench', {}, options);
    const { gatewayUrl, workbenchUrl } = await stack.ready;
    expect(workbenchUrl).toBeUndefined();
    expect((await fetch(`${gatewayUrl}/readyz`)).status).toBe(200);
    expect(await (await fetch(`${gatewayUrl}/environment`)).json()).not.toHaveProperty('WORKBENCH_DIR');
    expect(stack.lines.join('\n')).toMatch(/Workbench +it is broken[\s\S]*Workbench +it could not be built/);
    await askSupervisor(stack.home.socketFile, { command: 'stop' });
    await stack.exitCode;
  });

  it('runs several of what is called at one address, where it is told to', async () => {
    const several = superviseIn('replicas', { CLEW_REPLICAS: 'gateway=2' });
    const { services, gatewayUrl } = await several.ready;
    const [first, second] = services['gateway']?.instances ?? [];
    expect(services['gateway']?.url).toBe(gatewayUrl);
    expect(new Set([gatewayUrl, first?.url, second?.url]).size).toBe(3);
    process.kill(first?.pid ?? 0, 'SIGKILL');
    await eventually(async () => (await fetch(`${gatewayUrl}/readyz`)).ok);
    await askSupervisor(several.home.socketFile, { command: 'stop' });
    await several.exitCode;
    await expect(fetch(gatewayUrl)).rejects.toThrow();
  });

  it('can be stopped in the middle', async () => {
    const starting = superviseIn('interrupted');
    await eventually(() => fs.existsSync(starting.home.socketFile));
    await askSupervisor(starting.home.socketFile, { command: 'stop' });
    expect(await starting.exitCode).toBe(0);
    await expect(fetch(`http://127.0.0.1:${gatewayPort}/readyz`)).rejects.toThrow();
  });

  it('ends what a dead supervisor left behind', async () => {
    const orphan = spawn(process.execPath, ['-e', "setInterval(() => {}, 1000); console.log('up')"], {
      detached: true,
    });
    await once(orphan.stdout, 'data');
    const home = createHome(path.join(directory(), 'orphaned'));
    writeJson(home.processesFile, [{ name: 'gateway', ...identifyProcess(orphan.pid ?? 0) }]);
    const ended = once(orphan, 'exit');
    const stack = superviseIn('orphaned');
    await stack.ready;
    await ended;
    expect(stack.lines.join('\n')).toContain('ended what an earlier run left behind: gateway');
    await askSupervisor(home.socketFile, { command: 'stop' });
    await stack.exitCode;
  });

  it('says which port is taken instead of trying', async () => {
    const server = http.createServer().listen({ host: '127.0.0.1', port: gatewayPort });
    await once(server, 'listening');
    await expect(superviseIn('port').exitCode).rejects.toThrow(`port ${gatewayPort} of 127.0.0.1`);
    server.close();
  });
});
