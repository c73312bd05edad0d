import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addressVariable, CALLED_SERVICES } from '@clew/contracts';
import { findFreePort } from '@clew/stack';
import { MongoClient } from 'mongodb';
import { runScript, startLogging, type Child } from '../support/child.ts';
import type { MeasuredForm } from '../support/measured-form.ts';
import type { Servers } from '../support/servers.ts';
import { waitForAnswer } from '../support/wait-for-answer.ts';

export interface GatewayProcess extends Child {
  port: number;
  apiKey: string;
  projectId: string;
  /** Key for all projects. */
  adminApiKey: string;
}

export interface GatewayOptions {
  folder: string;
  servers: Servers;
  upstreamPort: number;
  /** `dist` runs the build output, `src` the sources. */
  from: MeasuredForm;
  nodeOptions: readonly string[];
  /** Variables that differ from the usual ones. */
  variables?: Readonly<Record<string, string>>;
}

const GATEWAY_FOLDER = join(import.meta.dirname, '../../../../apps/gateway');

/** Starts the real gateway with its own database, as in production: everything is switched on. */
export async function startGateway(options: GatewayOptions): Promise<GatewayProcess> {
  const script = (name: string) =>
    join(GATEWAY_FOLDER, options.from, `${name}.${options.from === 'dist' ? 'js' : 'ts'}`);
  const port = await findFreePort();
  const env = environment(options, port);
  await runScript(script('migrate'), { env });
  const bootstrapped = await runScript(script('bootstrap'), {
    env: { ...env, LOG_LEVEL: 'error' },
    args: ['--output', 'json'],
  });
  const { apiKey, projectId, adminApiKey } = JSON.parse(bootstrapped.trim().split('\n').at(-1) ?? '') as Record<
    string,
    string
  >;
  if (apiKey === undefined || projectId === undefined || adminApiKey === undefined)
    throw new Error('bootstrap made no key');
  const child = startLogging(script('main'), join(options.folder, 'gateway.log'), {
    env,
    nodeOptions: options.nodeOptions,
  });
  await waitForAnswer(`http://127.0.0.1:${port}/readyz`);
  return {
    ...child,
    port,
    apiKey,
    projectId,
    adminApiKey,
    async stop() {
      await child.stop();
      await dropDatabase(options.servers.mongoUrl, env.MONGO_DATABASE);
    },
  };
}

function environment({ folder, servers, upstreamPort, variables = {} }: GatewayOptions, port: number) {
  const privateKeyFile = join(folder, 'gateway.pem');
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  writeFileSync(privateKeyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  const upstream = `http://127.0.0.1:${upstreamPort}`;
  return {
    HOST: '127.0.0.1',
    PORT: String(port),
    OPERATIONS_PORT: '0',
    LOG_LEVEL: 'info',
    MONGO_URL: servers.mongoUrl,
    MONGO_DATABASE: `bench_${randomBytes(6).toString('hex')}`,
    AMQP_URL: servers.amqpUrl,
    AUTH_SECRET: randomBytes(32).toString('hex'),
    IDENTITY_PRIVATE_KEY_FILE: privateKeyFile,
    ...Object.fromEntries(CALLED_SERVICES.map((name) => [addressVariable(name), upstream])),
    // Requests are counted as always, but the limit is higher than the throughput of one process.
    RATE_LIMIT_PER_SECOND: '1000000',
    ...variables,
  };
}

async function dropDatabase(mongoUrl: string, database: string): Promise<void> {
  const client = await MongoClient.connect(mongoUrl);
  await client.db(database).dropDatabase();
  await client.close();
}
