// Makes every Secret that the manifests refer to: node deploy/k8s/make-secrets.mjs --help
// Needs nothing but Node. Store the files it writes in a safe place, never in a repository.
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { newIdentityKey, publicKeySet } from '../../libs/operator/src/identity-key.ts';
import { deriveAgentKeys } from '../../libs/kernel/src/agent-keys.ts';

const USAGE = `node deploy/k8s/make-secrets.mjs --out FOLDER --namespace NAME ADDRESSES (--new | --from-existing FILE)

  --out FOLDER           writes secrets.json (kubectl apply -f), rabbitmq.json (rabbitmqctl import_definitions) and
                         mongodb.env (the passwords for mongodb-users.js), for the eyes of their owner
  --namespace NAME       where the Secrets belong
  --mongo ADDRESS        MongoDB without user: mongodb://one.example.com,two.example.com/?replicaSet=rs0&tls=true
  --amqp ADDRESS         RabbitMQ without user: amqps://rabbitmq.example.com
  --servers              in place of both: the component "servers", and what its servers need
  --new                  a first installation: makes every value
  --from-existing FILE   keeps every value that is there, and makes what is missing; FILE is an earlier secrets.json, or
                         - for: kubectl -n NAME get secrets,configmaps -o json
`;

const IN_CLUSTER = { mongo: 'mongodb://mongodb:27017/?replicaSet=rs0', amqp: 'amqp://rabbitmq:5672' };
const NEEDS = readJson(new URL('../access/needs.json', import.meta.url));
const RIGHTS = readJson(new URL('../access/rabbitmq.json', import.meta.url));

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function refuse(message) {
  process.stderr.write(`${message}\n\n${USAGE}`);
  process.exit(2);
}

function readArguments() {
  const text = { type: 'string' };
  const flag = { type: 'boolean', default: false };
  const options = { out: text, namespace: text, mongo: text, amqp: text, 'from-existing': text };
  const { values } = parseArgs({ options: { ...options, servers: flag, new: flag, help: flag } });
  if (values.help) {
    process.stdout.write(USAGE);
    process.exit(0);
  }
  const { mongo, amqp } = values.servers ? IN_CLUSTER : values;
  if (!values.out || !values.namespace) refuse('Say --out and --namespace.');
  if (!mongo || !amqp) refuse('Say where the servers are: --mongo and --amqp, or --servers.');
  if (values.new === (values['from-existing'] !== undefined)) refuse('Say either --new or --from-existing.');
  if (isPublished(values.out))
    refuse(`${values.out} is a part of the checkout: take a folder below secrets, or outside.`);
  if (values.new && existsSync(join(values.out, 'secrets.json'))) {
    refuse(`${values.out} holds Secrets: --from-existing ${join(values.out, 'secrets.json')} keeps them.`);
  }
  return { ...values, mongo, amqp };
}

/** Whether commits and image builds would include the folder: it lies in the checkout, but not below `secrets`. */
function isPublished(folder) {
  const checkout = join(dirname(fileURLToPath(import.meta.url)), '../..');
  const [first] = relative(checkout, resolve(folder)).split(sep);
  return first !== '..' && first !== 'secrets';
}

/** Values of an existing installation, by `<name>/<key>`. */
function existingValues(file) {
  if (file === undefined) return new Map();
  const { items = [] } = readJson(file === '-' ? 0 : file);
  return new Map(items.flatMap(valuesOf));
}

function valuesOf({ kind, metadata, data = {} }) {
  const decoded = kind === 'Secret' ? (text) => Buffer.from(text, 'base64').toString() : (text) => text;
  return Object.entries(data).map(([key, value]) => [`${metadata.name}/${key}`, decoded(value)]);
}

/** Recipes derived from other values; they are made after those. */
const DERIVED = ['public-keys', 'agent-keys', 'database-password', 'broker-users'];

const newPassword = () => randomBytes(24).toString('base64url');

/** Makes each value once. Existing values are kept, and an address keeps its password when the server moves. */
function makeValues(needs, { mongo, amqp }, existing) {
  const passwords = { broker: new Map(), database: new Map() };
  const passwordOf = (kind, user, id) => {
    const kept = /^[a-z+]+:\/\/[^:@/]*:([^@/]*)@/.exec(existing.get(id) ?? '')?.[1];
    const password = kept === undefined ? newPassword() : decodeURIComponent(kept);
    passwords[kind].set(user, password);
    return password;
  };
  const values = new Map();
  const makers = {
    random: (_recipe, id) => existing.get(id) ?? randomBytes(48).toString('base64'),
    name: ({ value }) => value,
    'identity-key': (_recipe, id) => existing.get(id) ?? newIdentityKey(),
    'broker-address': ({ user }, id) => withUser(amqp, user, passwordOf('broker', user, id), `/${NEEDS.vhost}`),
    'database-address': ({ user, database }, id) =>
      withParameter(withUser(mongo, user, passwordOf('database', user, id), '/'), `authSource=${database}`),
    'public-keys': () => publicKeySet(identityKeys(values)),
    'agent-keys': () => JSON.stringify(deriveAgentKeys(values.get('clew-auth/AUTH_SECRET'))),
    'database-password': ({ user }) => passwords.database.get(user),
    'broker-users': () => JSON.stringify(brokerUsers(passwords.broker, administrator(values))),
  };
  const isDerived = ({ recipe }) => DERIVED.includes(recipe.make);
  for (const need of [...needs.filter((each) => !isDerived(each)), ...needs.filter(isDerived)]) {
    const id = `${need.name}/${need.key}`;
    values.set(id, makers[need.recipe.make](need.recipe, id));
  }
  return { values, passwords };
}

function withUser(address, user, password, path) {
  const parts = /^([a-z+]+:\/\/)([^/?@]+)(?:\/[^?]*)?(\?.*)?$/.exec(address);
  if (parts === null) refuse(`This is no address of a server without a user: ${address}`);
  const [, scheme, hosts, query = ''] = parts;
  return `${scheme}${user}:${encodeURIComponent(password)}@${hosts}${path}${query}`;
}

const withParameter = (address, parameter) => `${address}${address.includes('?') ? '&' : '?'}${parameter}`;

function identityKeys(values) {
  return [...values]
    .filter(([id]) => id.endsWith('/private.pem'))
    .map(([id, pem]) => [/^clew-identity-(.*)\//.exec(id)[1], pem]);
}

function administrator(values) {
  return { user: values.get('clew-rabbitmq/user'), password: values.get('clew-rabbitmq/password') };
}

/** Users of RabbitMQ in the format of its definitions, without their permissions. */
function brokerUsers(passwords, admin) {
  const users = [...passwords].map(([user, password]) => brokerUser(user, password, []));
  if (admin === undefined) return { users };
  const permissions = [{ user: admin.user, vhost: NEEDS.vhost, configure: '.*', write: '.*', read: '.*' }];
  return {
    users: [...users, brokerUser(admin.user, admin.password, ['administrator'])],
    ...{ vhosts: [{ name: NEEDS.vhost }], permissions },
  };
}

/**
 * User with a salted password hash. The salt is derived from the password, which is random, so repeated runs give the
 * same hash.
 */
function brokerUser(name, password, tags) {
  const salt = createHash('sha256').update(`${name}:${password}`).digest().subarray(0, 4);
  const hash = createHash('sha256').update(salt).update(password).digest();
  return {
    ...{ name, tags, hashing_algorithm: 'rabbit_password_hashing_sha256' },
    password_hash: Buffer.concat([salt, hash]).toString('base64'),
  };
}

function objectsOf(needs, values, namespace) {
  const names = [...new Set(needs.map(({ name }) => name))];
  return names.map((name) => {
    const own = needs.filter((need) => need.name === name);
    const [{ kind }] = own;
    const encoded = (text) => (kind === 'Secret' ? Buffer.from(text).toString('base64') : text);
    const data = Object.fromEntries(own.map(({ key }) => [key, encoded(values.get(`${name}/${key}`))]));
    const labels = { 'app.kubernetes.io/part-of': 'clew' };
    return { apiVersion: 'v1', kind, metadata: { name, namespace, labels }, data };
  });
}

function write(folder, file, text) {
  writeFileSync(join(folder, file), text, { mode: 0o600 });
}

const options = readArguments();
const existing = existingValues(options['from-existing']);
const needs = [...NEEDS.always, ...(options.servers ? NEEDS.ofServers : [])];
const { values, passwords } = makeValues(needs, options, existing);
const items = objectsOf(needs, values, options.namespace);
mkdirSync(options.out, { recursive: true, mode: 0o700 });
write(options.out, 'secrets.json', `${JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, null, 2)}\n`);
write(options.out, 'rabbitmq.json', `${JSON.stringify({ ...brokerUsers(passwords.broker), ...RIGHTS }, null, 2)}\n`);
const lines = [...passwords.database].map(([user, password]) => {
  return `PASSWORD_${user.toUpperCase().replaceAll('-', '_')}=${password}\n`;
});
write(options.out, 'mongodb.env', lines.join(''));
const kept = [...values.keys()].filter((id) => existing.has(id)).length;
process.stdout.write(`${items.length} objects with ${values.size} values (${kept} kept) are in ${options.out}\n`);
