import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises';
import { Agent, request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Principal } from '@clew/contracts';
import { IDENTITY_HEADER } from '@clew/http';
import { createPublisher, QUEUES, type Broker, type PublisherOptions, type QueueSpec } from '@clew/messaging';
import { fixedClock, type FixedClock, type TestEnvironment } from '@clew/testing';
import { openTestBroker, openTestHost, startLoopbackPrivacy, type LoopbackPrivacy } from '@clew/testing-host';
import { createIdentities, keyWith, type ServiceIdentities } from '@clew/testing/identities';
import { IngestConfig } from '../config.ts';
import { createIngest, type Ingest } from '../create-ingest.ts';
import { NOW_MS, PROJECT_ID, readMessages, type Decoded } from './decoding.ts';

export interface Call {
  path?: string;
  headers?: Readonly<Record<string, string>>;
  body?: Uint8Array | string | Readable;
  /** Principal of the request: by default a key that may send telemetry; null sends no identity. */
  principal?: Principal | null;
  /** Project that the identity opens; undefined for a key of several projects. */
  identityProject?: string | undefined;
  signal?: AbortSignal;
}

export interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  bytes: Buffer;
  /** JSON of the answer; undefined if it is not JSON. */
  body: unknown;
}

/** One instance of the service on loopback, wired as in its `main`. */
export interface TestIngest extends Pick<Ingest, 'budget' | 'spools'> {
  readonly url: string;
  readonly spoolDirectory: string;
  readonly clock: FixedClock;
  /** Privacy settings of projects, as the warehouse has them; the broadcast of a change is up to the test. */
  readonly privacy: LoopbackPrivacy;
  readonly broker: Broker;
  /** Headers with which the gateway would send a request. */
  identity(): Readonly<Record<string, string>>;
  send(call: Call): Promise<Answer>;
  /** Takes all records off the given lanes, by default both, and reads them in the same way as the warehouse. */
  takeRecords(lanes?: readonly QueueSpec[]): Promise<Pick<Decoded, 'spans' | 'logs'>>;
  /** Files of bodies that this process holds open, with a name or without. */
  openSpoolFiles(): Promise<string[]>;
  stop(): Promise<void>;
}

export interface TestIngestOptions {
  variables?: Readonly<Record<string, number>>;
  /** Address of the broker in place of the environment's: through a fault, or of a broker that the test runs. */
  amqpUrl?: string;
  publisher?: PublisherOptions;
  /** Hook that runs before the privacy settings are answered; it may throw. */
  before?: LoopbackPrivacy['before'];
}

export const PROTOBUF = { 'content-type': 'application/x-protobuf' } as const;
export const JSON_TYPE = { 'content-type': 'application/json' } as const;
export const GZIP = { 'content-encoding': 'gzip' } as const;
/** Queues that the service publishes to. */
const LANES = [QUEUES.spansReceived, QUEUES.spansReceivedBulk];
export const IMPORT_PATH = `/v1/projects/${PROJECT_ID}/conversations/import`;

export async function startTestIngest(
  environment: TestEnvironment,
  { variables = {}, amqpUrl, publisher: publishing, before }: TestIngestOptions = {},
): Promise<TestIngest> {
  // Separate connection for reading records, which no fault touches.
  const reading = await openTestBroker(environment, { service: 'telemetry-ingest' });
  const spoolDirectory = await mkdtemp(join(tmpdir(), 'clew-ingest-test-'));
  const given = Object.entries(variables).map(([name, value]) => [name, String(value)]);
  const identitiesOfAll = createIdentities();
  const privacy = await startLoopbackPrivacy(identitiesOfAll);
  if (before !== undefined) privacy.before = before;
  const host = await openTestHost(environment, {
    name: 'telemetry-ingest',
    identities: identitiesOfAll,
    config: IngestConfig,
    variables: {
      IMPORT_PATIENCE_MS: '0',
      TELEMETRY_WAREHOUSE_URL: privacy.url,
      ...Object.fromEntries(given),
      SPOOL_DIRECTORY: spoolDirectory,
    },
    clock: fixedClock(NOW_MS),
    ...(amqpUrl === undefined ? {} : { amqpUrl }),
  });
  await host.broker.whenConnected(AbortSignal.timeout(10_000));
  const publisher = createPublisher(host.broker, publishing);
  const identities = host.identities.at('telemetry-ingest');
  const served = await host.serve(
    await createIngest({
      ...{ ...host, publisher },
      warehouse: host.client('telemetry-warehouse'),
      counts: host.client('telemetry-warehouse'),
    }),
  );
  served.start();
  const { budget, spools } = served.app;
  const { url } = served;
  const agent = new Agent({ keepAlive: true });
  return {
    ...{ url, budget, spools, spoolDirectory, privacy, clock: host.clock, broker: reading },
    identity: () => ({ [IDENTITY_HEADER]: identities.tokenOf(keyWith('telemetry:write'), PROJECT_ID) }),
    send: (call) => send(agent, url, identities, call),
    takeRecords: async (lanes = LANES) => readMessages(await takeMessages(reading, lanes)),
    openSpoolFiles: () => openFilesIn(spoolDirectory),
    async stop() {
      agent.destroy();
      await served.stop();
      await publisher.close();
      await Promise.all([host.close(), reading.close(), privacy.stop()]);
      await rm(spoolDirectory, { recursive: true, force: true });
    },
  };
}

async function send(agent: Agent, url: string, identities: ServiceIdentities, call: Call): Promise<Answer> {
  const { path = '/v1/traces', principal = keyWith('telemetry:write'), body = '' } = call;
  const projectId = 'identityProject' in call ? call.identityProject : PROJECT_ID;
  const identity = principal === null ? {} : { [IDENTITY_HEADER]: identities.tokenOf(principal, projectId) };
  const sent = request(`${url}${path}`, {
    ...{ method: 'POST', agent, headers: { ...identity, ...call.headers } },
    ...(call.signal === undefined ? {} : { signal: call.signal }),
  });
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  // The answer may arrive, and the connection break off, before the whole body was sent.
  sent.on('error', () => undefined);
  if (typeof body === 'string' || body instanceof Uint8Array) {
    sent.setHeader('content-length', Buffer.byteLength(body)).end(body);
  } else {
    body.pipe(sent);
    sent.on('close', () => body.destroy());
  }
  const [response] = await answered;
  const chunks = await response.toArray();
  const bytes = Buffer.concat(chunks as Buffer[]);
  const isJson = response.headers['content-type']?.startsWith('application/json') === true;
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    bytes,
    body: isJson ? (JSON.parse(bytes.toString()) as unknown) : undefined,
  };
}

async function takeMessages(broker: Broker, lanes: readonly QueueSpec[]): Promise<Buffer[]> {
  const channel = await broker.openChannel();
  const messages: Buffer[] = [];
  for (const { name } of lanes) {
    for (;;) {
      const message = await channel.get(name, { noAck: true });
      if (message === false) break;
      messages.push(message.content);
    }
  }
  await channel.close();
  return messages;
}

/** A file without a name is still visible while it is open. */
async function openFilesIn(directory: string): Promise<string[]> {
  const descriptors = await readdir('/proc/self/fd');
  const targets = await Promise.all(
    descriptors.map((descriptor) => readlink(join('/proc/self/fd', descriptor)).catch(() => '')),
  );
  return [...(await readdir(directory)), ...targets.filter((target) => target.startsWith(directory))];
}
