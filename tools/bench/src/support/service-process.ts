import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Scope, ServiceName } from '@clew/contracts';
import { createIdentitySigner, IDENTITY_HEADER } from '@clew/http';
import { newId } from '@clew/kernel';
import { findFreePort, NODE_ARGUMENTS } from '@clew/stack';
import { MongoClient, type Db } from 'mongodb';
import { runScript, startLogging, type Child } from './child.ts';
import type { MeasuredForm } from './measured-form.ts';
import type { Servers } from './servers.ts';
import { waitForAnswer } from './wait-for-answer.ts';

export interface ServiceProcess extends Child {
  url: string;
  projectId: string;
  /** Database of the service, for inspection. */
  database: Db;
  /** Headers that the gateway would send with a request. */
  headers(): Record<string, string>;
}

export interface ServiceProcessOptions {
  folder: string;
  servers: Servers;
  from: MeasuredForm;
}

/** Measured service: its name, the scopes of its caller, and additional settings. */
export interface MeasuredService {
  app: ServiceName;
  scopes: readonly Scope[];
  env: Record<string, string>;
}

/** Node options and environment of the development stack. */
export const SERVICE_NODE_OPTIONS = ['--max-semi-space-size=4', ...NODE_ARGUMENTS];
export const SERVICE_ENVIRONMENT = { MALLOC_ARENA_MAX: '2' };
const APPS_FOLDER = join(import.meta.dirname, '../../../../apps');

/** Starts a real service with its own database; requests look as if the gateway had sent them. */
export async function startService(
  { app, scopes, env: more }: MeasuredService,
  { folder, servers, from }: ServiceProcessOptions,
): Promise<ServiceProcess> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const publicKeysFile = join(folder, 'public-keys.json');
  writeFileSync(publicKeysFile, JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'gateway' }] }));
  const privateKeyFile = join(folder, 'identity.pem');
  writeFileSync(privateKeyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const port = await findFreePort();
  const databaseName = `bench_${randomBytes(6).toString('hex')}`;
  const env = {
    HOST: '127.0.0.1',
    PORT: String(port),
    LOG_LEVEL: 'info',
    ...SERVICE_ENVIRONMENT,
    MONGO_URL: servers.mongoUrl,
    MONGO_DATABASE: databaseName,
    AMQP_URL: servers.amqpUrl,
    AUTH_SECRET: randomBytes(32).toString('hex'),
    IDENTITY_PUBLIC_KEYS_FILE: publicKeysFile,
    IDENTITY_PRIVATE_KEY_FILE: privateKeyFile,
    ...more,
  };
  const script = (name: string) => join(APPS_FOLDER, app, from, `${name}.${from === 'dist' ? 'js' : 'ts'}`);
  await runScript(script('migrate'), { env });
  const child = startLogging(script('main'), join(folder, `${app}.log`), { env, nodeOptions: SERVICE_NODE_OPTIONS });
  const url = `http://127.0.0.1:${port}`;
  await waitForAnswer(`${url}/readyz`);
  const client = await MongoClient.connect(servers.mongoUrl);
  const sign = createIdentitySigner('gateway', privateKey);
  const projectId = newId('prj');
  return {
    ...child,
    ...{ url, projectId, database: client.db(databaseName) },
    headers: () => ({
      [IDENTITY_HEADER]: sign(app, projectId, {
        principal: { kind: 'key', id: newId('key'), scopes: [...scopes] },
        projectId,
      }),
    }),
    async stop() {
      await child.stop();
      await client.db(databaseName).dropDatabase();
      await client.close();
    },
  };
}
