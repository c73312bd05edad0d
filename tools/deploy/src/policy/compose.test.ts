import { describe, expect, it } from '@jest/globals';
import { SERVICE_NAMES, serviceDefinition } from '@clew/contracts/services';
import { z } from 'zod';
import { composeFile } from '../manifests/compose.ts';

const Service = z.looseObject({
  user: z.string().optional(),
  environment: z.record(z.string(), z.string()).default({}),
  volumes: z.array(z.string()).default([]),
  networks: z.array(z.string()).default(['default']),
  command: z.array(z.string()),
});
const Compose = z.object({
  services: z.record(z.string(), z.looseObject({})),
  volumes: z.record(z.string(), z.looseObject({})),
});

const { services, volumes } = Compose.parse(composeFile());
const serviceOf = (name: string) => Service.parse(services[name]);
const signers = SERVICE_NAMES.filter((name) => serviceDefinition(name).signsIdentity);
const ENGINES = 'model-runtime-engines';

/** Named volumes that a container mounts, with path and mode. */
const mountsOf = (name: string) =>
  serviceOf(name).volumes.map((mount) => {
    const [volume = '', path = '', mode = 'rw'] = mount.split(':');
    return { volume, path, mode };
  });

describe('the compose file', () => {
  it.each([...SERVICE_NAMES])(
    'gives %s its own private key and the public keys to read, and no key of another',
    (name) => {
      const identity = mountsOf(name).filter(({ volume }) => volume.startsWith('identity'));
      const own = signers.includes(name) ? [{ volume: `identity-${name}`, path: '/identity/own', mode: 'ro' }] : [];
      expect(identity).toEqual([...own, { volume: 'identity-public', path: '/identity/public', mode: 'ro' }]);
      const { IDENTITY_PRIVATE_KEY_FILE: file } = serviceOf(name).environment;
      expect(file).toBe(own.length === 0 ? undefined : '/identity/own/private.pem');
    },
  );

  it('makes each key in the volume of its process, where nobody else runs', () => {
    const made = mountsOf('identity').map(({ volume, path }) => [volume, path]);
    expect(made).toEqual([...signers, 'public'].map((name) => [`identity-${name}`, `/identity/${name}`]));
    for (const maker of ['identity', 'agent-keys']) expect(services[maker]).toMatchObject({ network_mode: 'none' });
    expect(serviceOf('identity').command).toContain('--separate');
  });

  it('tells the secret of the deployment to who keeps something under it, and derived keys to the agent', () => {
    const told = Object.keys(services).filter((name) => JSON.stringify(services[name]).includes('AUTH_SECRET'));
    const keepers = ['gateway', 'telemetry-warehouse', 'diagnostics-svc', 'datasets-svc', 'knowledge-svc'];
    expect(told.sort()).toEqual([...keepers, 'model-runtime-svc', 'agent-keys'].sort());
    const [keys] = mountsOf('model-runtime-agent').filter(({ volume }) => volume === 'agent-keys');
    expect(keys?.mode).toBe('ro');
    expect(serviceOf('model-runtime-agent').environment['AGENT_KEYS_FILE']).toBe(`${keys?.path}/agent-keys.json`);
  });

  it('runs engines as another user, with models and socket alone, in a network without servers', () => {
    const { user, environment, networks } = serviceOf(ENGINES);
    expect(user).toBe('10002:10001');
    expect(Object.keys(environment).sort()).toEqual(['ENGINE_SOCKET', 'MODEL_HOME']);
    expect(mountsOf(ENGINES).map(({ volume }) => volume)).toEqual(['models', 'run']);
    expect(networks).toEqual(['engines']);
    const inNetwork = Object.keys(services).filter((name) => services[name]?.['networks'] !== undefined);
    expect(inNetwork.sort()).toEqual(['model-runtime-agent', ENGINES, 'model-runtime-svc']);
    expect(services[ENGINES]).toMatchObject({ cap_drop: ['ALL'], read_only: true, shm_size: '2gb' });
  });

  it('declares every volume that is mounted', () => {
    const mounted = Object.values(services).flatMap((service) => (service['volumes'] ?? []) as string[]);
    const names = mounted.map((mount) => mount.split(':')[0] ?? '');
    expect([...new Set(names)].sort()).toEqual(Object.keys(volumes).sort());
  });
});
