import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { deriveAgentKeys } from '@clew/kernel';
import { useTemporaryDirectory } from '../test-support/temporary-directory.ts';
import { APPS } from './apps.ts';
import type { AppDefinition } from './apps.ts';
import { appEnvironment } from './environment.ts';
import { createHome } from './home.ts';
import { prepareIdentityKeys, privateKeyFile, publicKeysFile } from './identity-keys.ts';
import { loadSecrets, prepareAgentKeys, saveKeys } from './secrets.ts';

const directory = useTemporaryDirectory();
const home = () => createHome(path.join(directory(), 'home'));

const APP: AppDefinition = {
  name: 'notes-svc',
  signsIdentity: true,
  isCalled: true,
  isScalable: false,
  healthPath: '/healthz',
  instances: 1,
};

function environmentOf(app: AppDefinition, userEnvironment: NodeJS.ProcessEnv = {}) {
  const source = {
    home: home(),
    mongoUrl: 'mongodb://127.0.0.1:1/?replicaSet=rs0',
    amqpUrl: 'amqp://127.0.0.1:2/%2F',
    authSecret: 's'.repeat(64),
    addresses: new Map([['telemetry-ingest', 'http://127.0.0.1:3']]),
    userEnvironment,
  };
  return appEnvironment(source, app, { port: 4, operationsPort: 5 });
}

describe('the environment of an application', () => {
  it('tells where it listens, what it uses and where the others are', () => {
    expect(environmentOf(APP)).toMatchObject({
      HOST: '127.0.0.1',
      PORT: '4',
      OPERATIONS_PORT: '5',
      MONGO_URL: 'mongodb://127.0.0.1:1/?replicaSet=rs0',
      AMQP_URL: 'amqp://127.0.0.1:2/%2F',
      TELEMETRY_INGEST_URL: 'http://127.0.0.1:3',
      DEPLOYMENT_TARGET: 'server',
      OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8,::1/128',
    });
  });

  it('names the folder of the Workbench to the gateway alone', () => {
    const source = { home: home(), authSecret: 's', addresses: new Map(), workbenchDirectory: '/built' };
    const folderOf = (name: string, userEnvironment: NodeJS.ProcessEnv = {}) =>
      appEnvironment({ ...source, userEnvironment }, { ...APP, name }, { port: 4 })['WORKBENCH_DIR'];
    expect([folderOf('gateway'), folderOf('notes-svc')]).toEqual(['/built', undefined]);
    expect(folderOf('gateway', { WORKBENCH_DIR: '/own' })).toBe('/own');
  });

  it('gives way to what the user has set, except where the application listens', () => {
    const env = environmentOf(APP, {
      LOG_LEVEL: 'debug',
      EXTRA: 'x',
      PORT: '9',
      OPERATIONS_PORT: '10',
      HOST: '0.0.0.0',
      DEPLOYMENT_TARGET: '',
    });
    expect(env).toMatchObject({
      LOG_LEVEL: 'debug',
      EXTRA: 'x',
      PORT: '4',
      HOST: '127.0.0.1',
      DEPLOYMENT_TARGET: 'server',
    });
  });

  it('holds the secret of the deployment, or the keys that are derived from it and never both', () => {
    expect(environmentOf(APP)).toMatchObject({ AUTH_SECRET: 's'.repeat(64) });
    const user = { AUTH_SECRET: 'of the user', AUTH_SECRET_PREVIOUS: 'of the user' };
    const derived = environmentOf({ ...APP, hasDerivedKeys: true }, user);
    expect(derived['AGENT_KEYS_FILE']).toBe(home().agentKeysFile);
    expect(JSON.stringify(derived)).not.toMatch(/AUTH_SECRET|sssss|of the user/);
    expect(APPS.filter(({ hasDerivedKeys }) => hasDerivedKeys).map(({ name }) => name)).toEqual([
      'model-runtime-agent',
    ]);
  });

  it('holds the private key only of an application that signs', () => {
    expect(environmentOf(APP)['IDENTITY_PRIVATE_KEY_FILE']).toBe(privateKeyFile(home(), 'notes-svc'));
    expect(environmentOf({ ...APP, signsIdentity: false })).not.toHaveProperty('IDENTITY_PRIVATE_KEY_FILE');
  });

  it("holds the application's own variables", () => {
    expect(environmentOf({ ...APP, environment: { NOTES_LIMIT: '7' } })['NOTES_LIMIT']).toBe('7');
  });
});

describe('the identity keys', () => {
  it('let everybody verify what each application signs, and are kept from start to start', () => {
    prepareIdentityKeys(home(), APPS);
    const before = fs.readFileSync(publicKeysFile(home()), 'utf8');
    prepareIdentityKeys(home(), APPS);
    expect(fs.readFileSync(publicKeysFile(home()), 'utf8')).toBe(before);

    const { keys } = JSON.parse(before) as { keys: { kid: string; alg: string; use: string; crv: string }[] };
    expect(keys.map((key) => key.kid)).toEqual(APPS.filter((app) => app.signsIdentity).map((app) => app.name));
    for (const key of keys) {
      const file = privateKeyFile(home(), key.kid);
      expect((fs.statSync(file).mode & 0o777).toString(8)).toBe('600');
      const signature = sign('sha256', Buffer.from('payload'), createPrivateKey(fs.readFileSync(file)));
      const publicKey = createPublicKey({ key, format: 'jwk' });
      expect(verify('sha256', Buffer.from('payload'), publicKey, signature)).toBe(true);
      expect(key).toMatchObject({ alg: 'ES256', use: 'sig', crv: 'P-256' });
    }
  });

  it('of a new application are added to those that are there', () => {
    prepareIdentityKeys(home(), [...APPS, APP]);
    const { keys } = JSON.parse(fs.readFileSync(publicKeysFile(home()), 'utf8')) as { keys: { kid: string }[] };
    expect(keys.at(-1)?.kid).toBe('notes-svc');
  });
});

describe('the keys of the runtime agent', () => {
  it('are those that the secret of the stack, or of its user, derives to, for the eyes of their owner', () => {
    prepareAgentKeys(home(), {});
    const read = () => JSON.parse(fs.readFileSync(home().agentKeysFile, 'utf8')) as unknown;
    expect(read()).toEqual(deriveAgentKeys(loadSecrets(home()).authSecret));
    expect((fs.statSync(home().agentKeysFile).mode & 0o777).toString(8)).toBe('600');
    const [present, before] = ['p'.repeat(40), 'b'.repeat(40)];
    prepareAgentKeys(home(), { AUTH_SECRET: present, AUTH_SECRET_PREVIOUS: before });
    expect(read()).toEqual(deriveAgentKeys(present, before));
  });
});

describe('the secrets', () => {
  it('are made once and kept, keys with them', () => {
    const { authSecret } = loadSecrets(home());
    expect(Buffer.from(authSecret, 'base64url').byteLength).toBeGreaterThanOrEqual(32);
    const keys = { workspaceId: 'w', projectId: 'p', apiKey: 'k', otherProjectId: 'q', otherApiKey: 'l' };
    saveKeys(home(), keys);
    expect(loadSecrets(home())).toEqual({ authSecret, keys });
  });
});

describe('the control socket', () => {
  it('has a path that the kernel takes, however deep the home directory is', () => {
    const deep = createHome(`/tmp/${'deep/'.repeat(40)}home`);
    expect(Buffer.byteLength(deep.socketFile)).toBeLessThanOrEqual(107);
    expect(deep.socketFile).not.toBe(createHome(`/tmp/${'deep/'.repeat(40)}other`).socketFile);
    expect(createHome('/tmp/home').socketFile).toBe('/tmp/home/stack.sock');
  });
});
