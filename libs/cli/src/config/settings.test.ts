import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../test-support/fake-io.ts';
import { configFolder, writeConfig, writeCredentials, writePrivately } from './files.ts';
import { settingsOf } from './settings.ts';

const STACK = { gatewayUrl: 'http://stack.test', apiKey: 'key_of_stack', projectId: 'prj_stack', mongoUrl: 'x' };

function world(env: Record<string, string> = {}) {
  const folder = temporaryFolder();
  const io = { env: { XDG_CONFIG_HOME: join(folder.path, 'config'), ...env }, directory: folder.path };
  writePrivately(join(folder.path, '.clew/stack.json'), STACK);
  return { io, folder };
}

function withProfiles(io: { env: Record<string, string> }) {
  writeConfig(io, {
    current: 'work',
    profiles: { work: { url: 'https://work.test', project: 'prj_work' }, other: { url: 'https://other.test' } },
  });
  writeCredentials(io, { work: { apiKey: 'key_of_work' }, other: { apiKey: 'key_of_other' } });
}

describe('the deployment, key and project of a command', () => {
  it('are those of the stack in the working directory when nothing else is known', () => {
    const { io } = world();
    expect(settingsOf(io, {})).toMatchObject({
      ...{ url: 'http://stack.test', apiKey: 'key_of_stack', project: 'prj_stack', source: '.clew/stack.json' },
    });
  });

  it('are those of the profile before those of the stack', () => {
    const { io } = world();
    withProfiles(io);
    expect(settingsOf(io, {})).toMatchObject({ url: 'https://work.test', apiKey: 'key_of_work', project: 'prj_work' });
    expect(settingsOf(io, { profile: 'other' })).toMatchObject({ url: 'https://other.test', apiKey: 'key_of_other' });
  });

  it('are those of the environment before those of the profile, and those of flags before all', () => {
    const { io } = world({ CLEW_URL: 'https://env.test', CLEW_API_KEY: 'key_of_env', CLEW_PROJECT: 'prj_env' });
    withProfiles(io);
    expect(settingsOf(io, {})).toMatchObject({ url: 'https://env.test', apiKey: 'key_of_env', project: 'prj_env' });
    expect(settingsOf(io, { url: 'https://flag.test', project: 'prj_flag' })).toMatchObject({
      ...{ url: 'https://flag.test', project: 'prj_flag', source: '--url' },
    });
    expect(settingsOf(io, { profile: 'other' })).toMatchObject({ url: 'https://other.test', apiKey: 'key_of_env' });
  });

  it.each([{ CLEW_URL: 'https://elsewhere.test' }, { CLEW_URL: 'https://work.test.elsewhere.test' }])(
    'never send a stored key to another address: %j',
    (env) => {
      const { io } = world(env);
      withProfiles(io);
      expect(settingsOf(io, {}).apiKey).toBeUndefined();
      expect(settingsOf(io, {}).project).toBeUndefined();
    },
  );

  it('take the stored key where the same address is named in another way', () => {
    const { io } = world();
    withProfiles(io);
    expect(settingsOf(io, { url: 'HTTPS://work.test/' })).toMatchObject({ apiKey: 'key_of_work', profile: 'work' });
  });

  it('are refused without any, and with a profile that there is not', () => {
    const { io } = world();
    expect(() => settingsOf({ ...io, directory: '/nowhere' }, {})).toThrow('No deployment is known');
    expect(() => settingsOf(io, { profile: 'toString' })).toThrow('There is no profile toString');
  });
});

describe('the file of credentials', () => {
  it('is for its owner alone, and refused when others may read it', () => {
    const { io } = world();
    withProfiles(io);
    const file = join(configFolder(io), 'credentials.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    for (const mode of [0o640, 0o604, 0o660, 0o644]) {
      chmodSync(file, mode);
      expect(() => settingsOf(io, {})).toThrow('Others may read');
    }
  });

  it('stays private when it is written again over a wider one', () => {
    const { io } = world();
    withProfiles(io);
    const file = join(configFolder(io), 'credentials.json');
    chmodSync(file, 0o644);
    writeCredentials(io, { work: { apiKey: 'new' } });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('that holds no object is named without its content', () => {
    const { io } = world();
    withProfiles(io);
    writePrivately(join(configFolder(io), 'credentials.json'), ['secret']);
    expect(() => settingsOf(io, {})).toThrow(/holds no JSON object$/);
  });
});
