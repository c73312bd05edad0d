import { spawn, type ChildProcess } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createIdentitySigner, IDENTITY_HEADER } from '@clew/http';

/** The service as a process of its own, with the identity header that the gateway would send. */
export interface IngestProcess {
  url: string;
  headers: Readonly<Record<string, string>>;
  importPath: string;
  cpuSeconds(): Promise<number>;
  rssBytes(): Promise<number>;
  /** The most memory that it has ever held. */
  peakRssBytes(): Promise<number>;
  stop(): Promise<void>;
}

const PROJECT_ID = 'prj_01J00000000000000000000000';
const CLOCK_TICKS_PER_SECOND = 100;
const MAIN = process.env['INGEST_MAIN'] ?? join(import.meta.dirname, '..', 'src', 'main.ts');

export async function startIngestProcess(
  amqpUrl: string,
  options: { env?: Readonly<Record<string, string>>; nodeArguments?: readonly string[] } = {},
): Promise<IngestProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'clew-ingest-bench-'));
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const keysFile = join(folder, 'keys.json');
  await writeFile(keysFile, JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'gateway' }] }));
  const port = await freePort();
  // What is built runs as it is deployed; sources run with their types stripped.
  const conditions = MAIN.endsWith('.ts') ? ['--conditions=clew-source'] : [];
  const child = spawn(process.execPath, [...conditions, ...(options.nodeArguments ?? []), MAIN], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      HOST: '127.0.0.1',
      PORT: String(port),
      LOG_LEVEL: 'fatal',
      AMQP_URL: amqpUrl,
      IDENTITY_PUBLIC_KEYS_FILE: keysFile,
      ...options.env,
    },
  });
  const url = `http://127.0.0.1:${port}`;
  await untilReady(child, url);
  const sign = createIdentitySigner('gateway', privateKey);
  return {
    url,
    get headers() {
      const caller = {
        principal: { kind: 'key', id: 'key_bench', scopes: ['telemetry:write'] },
        projectId: PROJECT_ID,
      } as const;
      return { [IDENTITY_HEADER]: sign('bench', caller) };
    },
    importPath: `/v1/projects/${PROJECT_ID}/conversations/import`,
    cpuSeconds: () => cpuSecondsOf(child),
    rssBytes: () => statusBytes(child, 'VmRSS'),
    peakRssBytes: () => statusBytes(child, 'VmHWM'),
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
      await rm(folder, { recursive: true });
    },
  };
}

async function untilReady(child: ChildProcess, url: string): Promise<void> {
  while (child.exitCode === null) {
    const ready = await fetch(`${url}/readyz`).then(
      (response) => response.ok,
      () => false,
    );
    if (ready) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('The process ended before it was ready');
}

async function cpuSecondsOf(child: ChildProcess): Promise<number> {
  const stat = await readFile(`/proc/${child.pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS_PER_SECOND;
}

async function statusBytes(child: ChildProcess, name: string): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
