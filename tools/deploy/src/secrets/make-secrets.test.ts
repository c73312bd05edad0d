import { spawnSync } from 'node:child_process';
import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DATABASE_USERS } from '../access/database-users.ts';
import { passwordVariable } from '../access/access-files.ts';
import { withRecipes } from '../access/recipes.ts';
import { needsOf } from '../manifests/needs.ts';
import { OVERLAYS, renderedObjects } from '../policy/rendered.ts';
import { makeSecrets, readSecrets, type MadeSecrets } from '../test-support/made-secrets.ts';

const folder = mkdtempSync(join(tmpdir(), 'clew-secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));

const ADDRESSES = [
  ...['--mongo', 'mongodb://one.example.com:27017,two.example.com/?replicaSet=rs0&tls=true'],
  ...['--amqp', 'amqps://rabbitmq.example.com'],
];
/** Secrets whose values nobody can make: the address of a mail server, with its password. */
const GIVEN = ['clew-mail'];
let made: MadeSecrets;
let ofServers: MadeSecrets;
beforeAll(() => {
  made = makeSecrets(join(folder, 'outside'), [...ADDRESSES, '--new']);
  ofServers = makeSecrets(join(folder, 'inside'), ['--servers', '--new']);
});

describe('the Secrets that the script makes', () => {
  it.each(OVERLAYS)('are all that the overlay %s refers to', (overlay) => {
    const secrets = overlay === 'dev' ? ofServers : made;
    // The preflight refers to every value as optional.
    const objects = renderedObjects(overlay).filter(({ metadata }) => !metadata.name.startsWith('preflight'));
    const needs = needsOf(objects).filter(({ name }) => !GIVEN.includes(name));
    expect(needs.length).toBeGreaterThan(30);
    for (const { name, key } of needs) expect([name, key, secrets.value(name, key)]).not.toContain(undefined);
  });

  it('are looked for by the preflight, each of them', () => {
    const preflight = renderedObjects('dev').find(({ metadata }) => metadata.name.startsWith('preflight-'));
    const all = ofServers.items.flatMap(({ metadata, data }) =>
      Object.keys(data).map((key) => `${metadata.name}/${key}`),
    );
    expect(needsOf([preflight]).map(({ name, key }) => `${name}/${key}`)).toEqual(all.toSorted());
  });

  it('connect each process as the user that it has at each server', () => {
    const gateway = new URL(made.value('clew-gateway', 'AMQP_URL')!);
    expect([gateway.username, gateway.host, gateway.pathname]).toEqual(['gateway', 'rabbitmq.example.com', '/clew']);
    expect(made.value('clew-gateway-migrate', 'MONGO_URL')).toMatch(
      /^mongodb:\/\/gateway-migrate:[\w-]{32}@one\.example\.com:27017,two\.example\.com\/\?replicaSet=rs0&tls=true&authSource=clew_gateway$/,
    );
    const passwords = new Set(DATABASE_USERS.map(({ user }) => made.databasePasswords[passwordVariable(user)]));
    expect(passwords.size).toBe(DATABASE_USERS.length);
    expect(made.value('clew-gateway', 'MONGO_URL')).toContain(`gateway:${made.databasePasswords['PASSWORD_GATEWAY']}@`);
  });

  it('give RabbitMQ each user with the hash of the password that its address has, beside what it may do', () => {
    const { users, permissions } = made.brokerDefinitions as {
      users: { name: string; password_hash: string }[];
      permissions: { user: string }[];
    };
    expect(users.map(({ name }) => name).toSorted()).toEqual(permissions.map(({ user }) => user).toSorted());
    for (const { name, password_hash: hash } of users) {
      const { password } = new URL(made.value(`clew-${name}`, 'AMQP_URL')!);
      const bytes = Buffer.from(hash, 'base64');
      const expected = createHash('sha256').update(bytes.subarray(0, 4)).update(password).digest();
      expect(bytes.subarray(4)).toEqual(expected);
    }
  });

  it('hold keys that verify what each process signs', () => {
    const { keys } = JSON.parse(made.value('clew-identity-public-keys', 'public-keys.json')!) as {
      keys: { kid: string; x: string }[];
    };
    const { x } = createPublicKey(createPrivateKey(made.value('clew-identity-jobs-worker', 'private.pem')!)).export({
      format: 'jwk',
    });
    expect(keys.find(({ kid }) => kid === 'jobs-worker')?.x).toBe(x);
  });

  it('are for the eyes of their owner alone', () => {
    const modes = ['', 'secrets.json', 'rabbitmq.json', 'mongodb.env'].map(
      (file) => statSync(join(made.folder, file)).mode & 0o777,
    );
    expect(modes).toEqual([0o700, 0o600, 0o600, 0o600]);
  });
});

describe('where they are put', () => {
  const root = join(import.meta.dirname, '../../../..');

  it.each(['deploy/k8s/overlays/production', '.', 'secrets/../docs'])('is no folder of the checkout: %s', (place) => {
    expect(() => makeSecrets(join(root, place), [...ADDRESSES, '--new'])).toThrow('is a part of the checkout');
  });

  it('is one that neither commits nor builds of images take along', () => {
    const ignored = spawnSync('git', ['check-ignore', 'secrets/production/secrets.json'], { cwd: root });
    expect(ignored.status).toBe(0);
    expect(readFileSync(join(root, '.dockerignore'), 'utf8').split('\n')).toContain('/secrets');
  });
});

describe('who makes them again', () => {
  const files = ['secrets.json', 'rabbitmq.json', 'mongodb.env'];
  const contents = ({ folder: from }: MadeSecrets) => files.map((file) => readFileSync(join(from, file), 'utf8'));

  it('has to say so, or to say what exists', () => {
    expect(() => makeSecrets(join(folder, 'neither'), ADDRESSES)).toThrow('Say either --new or --from-existing');
    expect(() => makeSecrets(made.folder, [...ADDRESSES, '--new'])).toThrow('holds Secrets');
  });

  it('keeps every value of what exists, as a file or as a cluster prints it', () => {
    const file = join(ofServers.folder, 'secrets.json');
    const again = makeSecrets(join(folder, 'again'), ['--servers', '--from-existing', file]);
    expect(contents(again)).toEqual(contents(ofServers));
    const printed = makeSecrets(
      join(folder, 'printed'),
      ['--servers', '--from-existing', '-'],
      readFileSync(file, 'utf8'),
    );
    expect(contents(printed)).toEqual(contents(ofServers));
  });

  it('makes what is missing, and takes passwords along to another address', () => {
    const known = made.items.filter(({ metadata }) => metadata.name !== 'clew-cli');
    const file = join(folder, 'known.json');
    writeFileSync(file, JSON.stringify({ items: known }));
    const moved = makeSecrets(join(folder, 'moved'), [
      '--mongo',
      'mongodb+srv://c.example.com',
      '--amqp',
      'amqps://b.example.com',
      '--from-existing',
      file,
    ]);
    expect(moved.value('clew-auth', 'AUTH_SECRET')).toBe(made.value('clew-auth', 'AUTH_SECRET'));
    expect(moved.value('clew-cli', 'AMQP_URL')).toMatch(/^amqps:\/\/cli:[\w-]{32}@b\.example\.com\/clew$/);
    expect(moved.value('clew-gateway', 'MONGO_URL')).toBe(
      `mongodb+srv://gateway:${made.databasePasswords['PASSWORD_GATEWAY']}@c.example.com/?authSource=clew_gateway`,
    );
    expect(readSecrets(join(folder, 'moved')).databasePasswords).toEqual(made.databasePasswords);
  });
});

it('a need that nobody has a recipe for is found before it is missing', () => {
  expect(() => withRecipes([{ kind: 'Secret', name: 'clew-new', key: 'TOKEN' }])).toThrow('clew-new/TOKEN');
});
