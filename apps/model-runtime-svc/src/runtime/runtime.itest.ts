import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { useTestEnvironment } from '@clew/testing';
import { PROFILE } from '../test-support/models.ts';
import { startTestRuntime, type RuntimeUser, type TestRuntime } from '../test-support/runtime-service.ts';

const environment = useTestEnvironment();
let runtime: TestRuntime;

beforeAll(async () => {
  runtime = await startTestRuntime(environment);
  await runtime.startAgent();
}, 60_000);

afterAll(() => runtime.stop());

const install = (user: RuntimeUser, engine: string) =>
  user.call({ method: 'POST', path: `/engines/${engine}/installations` });
const at = (modelId: string, rest = '') => `/${modelId}/profiles/${PROFILE}${rest}`;

describe('the way of a model', () => {
  it('goes from the installation of its engine to an answer, and back to nothing', async () => {
    const user = runtime.user();
    const installing = await install(user, 'llama.cpp');
    expect(installing).toMatchObject({ status: 202, body: { engine: 'llama.cpp', state: 'queued', generation: 1 } });
    await user.untilEngine('llama.cpp', 'ready');
    expect(await install(user, 'llama.cpp')).toMatchObject({ status: 200, body: { state: 'ready', generation: 1 } });

    const downloading = await user.call({ method: 'POST', path: at('tiny', '/downloads') });
    expect(downloading).toMatchObject({ status: 202, body: { state: 'queued', generation: 1, bytesDone: 0 } });
    const download = await user.untilDownload('tiny', 'completed');
    expect(download.bytesDone).toBe(download.bytesTotal);

    const starting = await user.call({ method: 'PUT', path: at('tiny', '/service') });
    expect(starting).toMatchObject({ status: 202, body: { state: 'starting', model: 'self/tiny' } });
    await user.untilService('tiny', 'ready');

    const body = { model: 'self/tiny', messages: [{ role: 'user', content: 'hi' }] };
    const trial = await user.call({
      method: 'POST',
      path: at('tiny', '/trials'),
      body: { path: '/v1/chat/completions', contentType: 'application/json', body },
    });
    expect(trial).toMatchObject({ status: 200, body: { received: { ...body, model: 'tiny' } } });

    expect(await user.call({ method: 'DELETE', path: at('tiny', '/service') })).toMatchObject({ status: 202 });
    await user.untilService('tiny', 'stopped');
    expect(await user.call({ method: 'DELETE', path: at('tiny') })).toMatchObject({ status: 204 });
    expect(await user.call({ method: 'DELETE', path: '/engines/llama.cpp' })).toMatchObject({ status: 202 });
    await user.untilEngine('llama.cpp', 'not_installed');
  });
});
