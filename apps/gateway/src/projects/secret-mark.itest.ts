import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@clew/runtime';
import { useTestEnvironment } from '@clew/testing';
import { bootstrap } from '../bootstrap.ts';
import { makeWorkspace, startTestGateway, TEST_AUTH_SECRET, type TestGateway } from '../test-support/gateway.ts';
import { workspaceModel } from './project.model.ts';
import { tellOfOtherSecret } from './secret-mark.ts';

const OTHER_SECRET = 'another secret for tests, of 32 bytes';

const environment = useTestEnvironment();
let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway(environment);
  await makeWorkspace(gateway.database);
});
afterAll(() => gateway.stop());

async function told(authSecret: string): Promise<string> {
  let lines = '';
  const destination = { write: (line: string) => void (lines += line) };
  const logger = createLogger({ service: 'gateway', version: '0', level: 'info', destination });
  const isKnown = await tellOfOtherSecret(gateway.database, authSecret, logger);
  expect(isKnown).toBe(lines === '');
  return lines;
}

describe('a start with another AUTH_SECRET than that of the keys', () => {
  it('is told as an error that names it, and holds neither secret', async () => {
    const lines = await told(OTHER_SECRET);
    expect(lines).toContain('made under another AUTH_SECRET');
    expect(lines).toContain('"level":"error"');
    expect(lines).not.toContain(OTHER_SECRET);
    expect(await told(TEST_AUTH_SECRET)).toBe('');
  });

  it('is no longer told once keys are made under the new one', async () => {
    const config = { AUTH_SECRET: OTHER_SECRET, API_KEY_ENVIRONMENT: 'test' };
    await bootstrap(gateway.database, config, { workspace: 'w', project: 'p', secondProject: undefined });
    expect(await told(OTHER_SECRET)).toBe('');
  });

  it('is not told where nothing says under which secret the keys were made', async () => {
    await workspaceModel(gateway.database.connection).updateMany({}, { $unset: { secretMark: '' } });
    expect(await told(OTHER_SECRET)).toBe('');
  });
});
