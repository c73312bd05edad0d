import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createIdentitySigner, IDENTITY_HEADER } from '@clew/http';
import { newId } from '@clew/kernel';
import { NODE_ARGUMENTS } from '@clew/stack';
import { MongoClient, type Db } from 'mongodb';
import { waitForAnswer } from '../support/wait-for-answer.ts';
import { runScript, startLogging, type Child } from '../support/child.ts';
import { freePort } from '../support/free-port.ts';
import type { Servers } from '../support/servers.ts';

export interface DatasetsProcess extends Child {
  url: string;
  projectId: string;
  /** Its database, to look at. */
  database: Db;
  /** The headers that the gateway would send with a request. */
  headers(): Record<string, string>;
}

export interface DatasetsProcessOptions {
  folder: string;
  servers: Servers;
  from: 'dist' | 'src';
}

/** As the development stack starts it. */
const NODE_OPTIONS = ['--max-semi-space-size=4', ...NODE_ARGUMENTS];
const APP_FOLDER = join(import.meta.dirname, '../../../../apps/datasets-svc');

/** Starts the real datasets-svc, with a database of its own; requests come as if the gateway had sent them. */
export async function startDatasets({ folder, servers, from }: DatasetsProcessOptions): Promise<DatasetsProcess> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const publicKeysFile = join(folder, 'public-keys.json');
  writeFileSync(publicKeysFile, JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'gateway' }] }));
  const privateKeyFile = join(folder, 'identity.pem');
  writeFileSync(privateKeyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const port = await freePort();
  const databaseName = `bench_${randomBytes(6).toString('hex')}`;
  const env = {
    HOST: '127.0.0.1',
    PORT: String(port),
    LOG_LEVEL: 'info',
    MALLOC_ARENA_MAX: '2',
    MONGO_URL: servers.mongoUrl,
    MONGO_DATABASE: databaseName,
    AMQP_URL: servers.amqpUrl,
    AUTH_SECRET: randomBytes(32).toString('hex'),
    IDENTITY_PUBLIC_KEYS_FILE: publicKeysFile,
    IDENTITY_PRIVATE_KEY_FILE: privateKeyFile,
    // Nobody listens there: no measured Dataset has a policy that needs a model.
    MODEL_RUNTIME_SVC_URL: 'http://127.0.0.1:9',
  };
  const script = (name: string) => join(APP_FOLDER, from, `${name}.${from === 'dist' ? 'js' : 'ts'}`);
  await runScript(script('migrate'), { env });
  const child = startLogging(script('main'), join(folder, 'datasets.log'), { env, nodeOptions: NODE_OPTIONS });
  const url = `http://127.0.0.1:${port}`;
  await waitForAnswer(`${url}/readyz`);
  const client = await MongoClient.connect(servers.mongoUrl);
  const sign = createIdentitySigner('gateway', privateKey);
  const projectId = newId('prj');
  const scopes = ['workspace:read', 'models:manage'] as const;
  return {
    ...child,
    ...{ url, projectId, database: client.db(databaseName) },
    headers: () => ({
      [IDENTITY_HEADER]: sign(projectId, { principal: { kind: 'key', id: newId('key'), scopes }, projectId }),
    }),
    async stop() {
      await child.stop();
      await client.db(databaseName).dropDatabase();
      await client.close();
    },
  };
}
