import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect } from 'amqplib';
import { MongoClient } from 'mongodb';
import { findFreePort, provisionMongo, provisionRabbit, type RabbitHandle } from '@clew/stack';
import { eventually } from '@clew/testing';
import { makeSecrets, type MadeSecrets } from './test-support/made-secrets.ts';

const COMPONENT = join(import.meta.dirname, '../../../deploy/k8s/components/servers');
/** Shell in the image of MongoDB. */
const MONGOSH = 'mongosh@2.12.0';
const INSTALL_TIMEOUT_MS = 600_000;
const START_TIMEOUT_MS = 120_000;

const folder = mkdtempSync(join(tmpdir(), 'clew-servers-'));
let secrets: MadeSecrets;
beforeAll(() => {
  secrets = makeSecrets(join(folder, 'secrets'), ['--servers', '--new']);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Address in the component, changed to this machine. */
const here = (address: string, port: number) => address.replace(/@[^/]+/, `@127.0.0.1:${port}`);

describe('the MongoDB of the component `servers`', () => {
  let port: number;
  let mongod: ChildProcess;
  let shell = '';

  beforeAll(async () => {
    const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder, MONGOSH];
    execFileSync('npm', install, { stdio: 'ignore' });
    shell = join(folder, 'node_modules/.bin/mongosh');
    const open = await provisionMongo({ home: join(folder, 'open'), log: () => undefined });
    if (open.pid === undefined) throw new Error('This test needs a MongoDB of its own');
    const program = readlinkSync(`/proc/${open.pid}/exe`);
    await open.stop({ immediately: true });
    port = await findFreePort();
    writeFileSync(join(folder, 'keyfile'), secrets.value('clew-mongodb', 'keyfile')!, { mode: 0o400 });
    mkdirSync(join(folder, 'data'));
    const place = [
      '--dbpath',
      join(folder, 'data'),
      '--port',
      String(port),
      '--bind_ip',
      '127.0.0.1',
      '--nounixsocket',
    ];
    const rest = ['--replSet', 'rs0', '--keyFile', join(folder, 'keyfile'), '--wiredTigerCacheSizeGB', '0.5'];
    mongod = spawn(program, [...place, ...rest], { stdio: 'ignore' });
  }, INSTALL_TIMEOUT_MS);
  afterAll(async () => {
    mongod.kill('SIGKILL');
    await once(mongod, 'close');
  });

  /** Runs the startup probe like the kubelet, except for the path and the address. */
  function probe() {
    const users = secrets.items.find(({ metadata }) => metadata.name === 'clew-mongodb-users')!.data;
    const env = {
      ...Object.fromEntries(Object.keys(users).map((key) => [key, secrets.value('clew-mongodb-users', key)])),
      MONGODB_ADMIN: secrets.value('clew-mongodb', 'user'),
      MONGODB_ADMIN_PASSWORD: secrets.value('clew-mongodb', 'password'),
      ...{ MONGODB_MEMBER: `127.0.0.1:${port}`, HOME: folder },
    };
    const address = `mongodb://127.0.0.1:${port}/?directConnection=true`;
    const args = [shell, '--quiet', '--norc', address, '--file', join(COMPONENT, 'mongodb-setup.js')];
    return spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  }

  it(
    'is a replica set with every user after its probe has succeeded, which may be repeated',
    async () => {
      await eventually(
        () => {
          const { status, stdout, stderr } = probe();
          if (status !== 0) throw new Error(`${stdout}${stderr}`);
        },
        { timeoutMs: START_TIMEOUT_MS },
      );
      expect(probe().status).toBe(0);
      const address = here(secrets.value('clew-datasets-svc', 'MONGO_URL')!, port);
      const client = await new MongoClient(address).connect();
      expect(await client.db('clew_datasets').collection('examples').countDocuments({})).toBe(0);
      await expect(client.db('clew_gateway').collection('api_keys').findOne()).rejects.toMatchObject({
        codeName: 'Unauthorized',
      });
      await client.close();
    },
    START_TIMEOUT_MS,
  );
});

describe('the RabbitMQ of the component `servers`', () => {
  let rabbit: RabbitHandle;
  const home = join(folder, 'broker');

  beforeAll(async () => {
    rabbit = await provisionRabbit({ home, log: () => undefined });
    const definitions = join(folder, 'definitions');
    mkdirSync(definitions);
    writeFileSync(join(definitions, '1-users.json'), secrets.value('clew-rabbitmq', 'users.json')!);
    writeFileSync(join(definitions, '2-rights.json'), readFileSync(join(COMPONENT, 'rights.json')));
    const settings = readFileSync(join(COMPONENT, 'rabbitmq.conf'), 'utf8').replace('/definitions', definitions);
    appendFileSync(join(home, 'rabbitmq/rabbitmq.conf'), settings);
  }, START_TIMEOUT_MS);
  afterAll(() => rabbit.stop({ immediately: true }));

  it(
    'knows every user with its rights at each start',
    async () => {
      const port = Number(new URL(rabbit.amqpUrl).port);
      for (let start = 0; start < 2; start += 1) {
        await rabbit.restart();
        const migrate = await connect(here(secrets.value('clew-jobs-worker-migrate', 'AMQP_URL')!, port));
        await (await migrate.createChannel()).assertExchange('clew.events', 'topic');
        await migrate.close();
        const cli = await connect(here(secrets.value('clew-cli', 'AMQP_URL')!, port));
        const channel = await cli.createChannel();
        cli.on('error', () => undefined);
        channel.on('error', () => undefined);
        await expect(channel.assertExchange('another', 'topic')).rejects.toMatchObject({ code: 403 });
        await cli.close();
      }
    },
    START_TIMEOUT_MS,
  );
});
