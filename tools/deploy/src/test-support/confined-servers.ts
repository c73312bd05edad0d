import { randomBytes } from 'node:crypto';
import { readlinkSync, mkdirSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { findFreePort, provisionMongo, provisionRabbit } from '@clew/stack';
import { eventually } from '@clew/testing';
import { DATABASE_ACTIONS, DATABASE_USERS } from '../access/database-users.ts';
import { passwordVariable } from '../access/access-files.ts';
import { makeSecrets, type MadeSecrets } from './made-secrets.ts';

/**
 * MongoDB and RabbitMQ with every user of a deployment, whose permissions come from the committed files, and the
 * Secrets of an installation that uses them.
 */
export interface ConfinedServers {
  readonly secrets: MadeSecrets;
  amqpUrl(user: string): string;
  stop(): Promise<void>;
}

const ADMIN = 'admin';
const ADMIN_PASSWORD = randomBytes(16).toString('hex');

export async function startConfinedServers(home: string): Promise<ConfinedServers> {
  const options = { home, log: () => undefined };
  const rabbit = await provisionRabbit(options);
  if (rabbit.managementUrl === undefined) throw new Error('This test needs the management API of RabbitMQ');
  const port = await findFreePort();
  const addresses = [
    ...['--mongo', `mongodb://127.0.0.1:${port}/?replicaSet=rs0`],
    ...['--amqp', `amqp://${new URL(rabbit.amqpUrl).host}`],
  ];
  const secrets = makeSecrets(join(home, 'secrets'), [...addresses, '--new']);
  await importDefinitions(rabbit.managementUrl, secrets.brokerDefinitions);
  const mongo = await startConfinedMongo(home, port, secrets.databasePasswords);
  return {
    secrets,
    amqpUrl: (user) => secrets.value(`clew-${user}`, 'AMQP_URL') ?? '',
    async stop() {
      await Promise.all([mongo.stop(), rabbit.stop({ immediately: true })]);
    },
  };
}

/** Imports definitions like `rabbitmqctl import_definitions`. */
async function importDefinitions(managementUrl: string, definitions: unknown): Promise<void> {
  const { origin, username, password } = new URL(managementUrl);
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const headers = { authorization, 'content-type': 'application/json' };
  const body = JSON.stringify(definitions);
  const answer = await fetch(`${origin}/api/definitions`, { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(`RabbitMQ answered ${answer.status}: ${await answer.text()}`);
}

/** Starts the MongoDB program a second time with access control, since that of the development stack has no users. */
async function startConfinedMongo(
  home: string,
  port: number,
  passwords: Readonly<Record<string, string>>,
): Promise<{ stop(): Promise<void> }> {
  const open = await provisionMongo({ home: join(home, 'open'), log: () => undefined });
  if (open.pid === undefined) throw new Error('This test needs a MongoDB of its own');
  const program = readlinkSync(`/proc/${open.pid}/exe`);
  await open.stop({ immediately: true });
  const data = join(home, 'confined');
  mkdirSync(data, { recursive: true });
  writeFileSync(join(home, 'keyfile'), randomBytes(48).toString('base64'), { mode: 0o400 });
  const common = ['--dbpath', data, '--port', String(port), '--bind_ip', '127.0.0.1', '--nounixsocket', '--quiet'];
  const rest = ['--replSet', 'rs0', '--auth', '--keyFile', join(home, 'keyfile'), '--wiredTigerCacheSizeGB', '0.5'];
  const child = spawn(program, [...common, ...rest], { stdio: 'ignore' });
  const ended = once(child, 'close');
  await makeUsers(port, passwords);
  return {
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function makeUsers(port: number, passwords: Readonly<Record<string, string>>): Promise<void> {
  const direct = `mongodb://127.0.0.1:${port}/?directConnection=true&serverSelectionTimeoutMS=2000`;
  // As long as there is no user, any local client may create the first one.
  const first = await eventually(() => new MongoClient(direct).connect());
  const members = [{ _id: 0, host: `127.0.0.1:${port}` }];
  await first.db('admin').command({ replSetInitiate: { _id: 'rs0', members } });
  await eventually(async () => {
    await first.db('admin').command({ createUser: ADMIN, pwd: ADMIN_PASSWORD, roles: ['root'] });
  });
  await first.close();
  const client = await new MongoClient(direct, { auth: { username: ADMIN, password: ADMIN_PASSWORD } }).connect();
  for (const { user, database, does } of DATABASE_USERS) {
    const db = client.db(database);
    const privileges = [{ resource: { db: database, collection: '' }, actions: DATABASE_ACTIONS[does] }];
    const role = `clew-${does}`;
    const { roles } = (await db.command({ rolesInfo: role })) as { roles?: unknown[] };
    if (roles === undefined || roles.length === 0) await db.command({ createRole: role, privileges, roles: [] });
    const pwd = passwords[passwordVariable(user)];
    await db.command({ createUser: user, pwd, roles: [{ role, db: database }] });
  }
  await client.close();
}
