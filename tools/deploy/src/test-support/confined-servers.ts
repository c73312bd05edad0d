import { randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync, mkdirSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { findFreePort, provisionMongo, provisionRabbit } from '@clew/stack';
import { eventually } from '@clew/testing';
import { z } from 'zod';
import { DATABASE_ACTIONS, DATABASE_USERS } from '../access/database-users.ts';
import { VHOST } from '../access/access-files.ts';

/** A MongoDB and a RabbitMQ that know every user of a deployment, with the rights that the committed files give. */
export interface ConfinedServers {
  mongoUrl(user: string, database: string): string;
  amqpUrl(user: string): string;
  stop(): Promise<void>;
}

const PASSWORD = randomBytes(16).toString('hex');
const ADMIN = 'admin';
const DEFINITIONS = join(import.meta.dirname, '../../../../deploy/access/rabbitmq.json');

const Definitions = z.object({
  permissions: z.array(z.looseObject({ user: z.string() })),
  topic_permissions: z.array(z.looseObject({ user: z.string() })),
});

export async function startConfinedServers(home: string): Promise<ConfinedServers> {
  const options = { home, log: () => undefined };
  const rabbit = await provisionRabbit(options);
  if (rabbit.managementUrl === undefined) throw new Error('This test needs the management API of RabbitMQ');
  await giveBrokerRights(rabbit.managementUrl);
  const mongo = await startConfinedMongo(home);
  return {
    mongoUrl: (user, database) =>
      `mongodb://${user}:${PASSWORD}@127.0.0.1:${mongo.port}/?replicaSet=rs0&authSource=${database}`,
    amqpUrl: (user) => `amqp://${user}:${PASSWORD}@${new URL(rabbit.amqpUrl).host}/${VHOST}`,
    async stop() {
      await Promise.all([mongo.stop(), rabbit.stop({ immediately: true })]);
    },
  };
}

async function giveBrokerRights(managementUrl: string): Promise<void> {
  const { permissions, topic_permissions: topics } = Definitions.parse(JSON.parse(readFileSync(DEFINITIONS, 'utf8')));
  const { origin, username, password } = new URL(managementUrl);
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const put = async (path: string, body: object) => {
    const headers = { authorization, 'content-type': 'application/json' };
    const answer = await fetch(`${origin}/api/${path}`, { method: 'PUT', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`RabbitMQ answered ${answer.status} to ${path}`);
  };
  await put(`vhosts/${VHOST}`, {});
  for (const { user, ...rights } of permissions) {
    await put(`users/${user}`, { password: PASSWORD, tags: '' });
    await put(`permissions/${VHOST}/${user}`, rights);
  }
  for (const { user, ...rights } of topics) await put(`topic-permissions/${VHOST}/${user}`, rights);
}

/** The development stack's MongoDB knows no users: its program is started once more, with a door. */
async function startConfinedMongo(home: string): Promise<{ port: number; stop(): Promise<void> }> {
  const open = await provisionMongo({ home: join(home, 'open'), log: () => undefined });
  if (open.pid === undefined) throw new Error('This test needs a MongoDB of its own');
  const program = readlinkSync(`/proc/${open.pid}/exe`);
  await open.stop({ immediately: true });
  const port = await findFreePort();
  const data = join(home, 'confined');
  mkdirSync(data, { recursive: true });
  writeFileSync(join(home, 'keyfile'), randomBytes(48).toString('base64'), { mode: 0o400 });
  const common = ['--dbpath', data, '--port', String(port), '--bind_ip', '127.0.0.1', '--nounixsocket', '--quiet'];
  const rest = ['--replSet', 'rs0', '--auth', '--keyFile', join(home, 'keyfile'), '--wiredTigerCacheSizeGB', '0.5'];
  const child = spawn(program, [...common, ...rest], { stdio: 'ignore' });
  const ended = once(child, 'close');
  await makeUsers(port);
  return {
    port,
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function makeUsers(port: number): Promise<void> {
  const direct = `mongodb://127.0.0.1:${port}/?directConnection=true&serverSelectionTimeoutMS=2000`;
  // Before there is a user, whoever is on the machine may make the first one.
  const first = await eventually(() => new MongoClient(direct).connect());
  const members = [{ _id: 0, host: `127.0.0.1:${port}` }];
  await first.db('admin').command({ replSetInitiate: { _id: 'rs0', members } });
  await eventually(async () => {
    await first.db('admin').command({ createUser: ADMIN, pwd: PASSWORD, roles: ['root'] });
  });
  await first.close();
  const client = await new MongoClient(direct, { auth: { username: ADMIN, password: PASSWORD } }).connect();
  for (const { user, database, does } of DATABASE_USERS) {
    const db = client.db(database);
    const privileges = [{ resource: { db: database, collection: '' }, actions: DATABASE_ACTIONS[does] }];
    const role = `clew-${does}`;
    const { roles } = (await db.command({ rolesInfo: role })) as { roles?: unknown[] };
    if (roles === undefined || roles.length === 0) await db.command({ createRole: role, privileges, roles: [] });
    await db.command({ createUser: user, pwd: PASSWORD, roles: [{ role, db: database }] });
  }
  await client.close();
}
