import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@clew/testing';
import { at, download, install, remove, start, stop } from '../test-support/runtime-calls.ts';
import { useTestRuntime, type RuntimeUser, type TestRuntime } from '../test-support/runtime-service.ts';

import { ENGINE_HOSTS } from '@clew/testing-model-runtime';

describe.each(ENGINE_HOSTS)('engines %s:', (engines) => {
  // Slow enough for a download to be observed in progress.
  const current = useTestRuntime({ engines, fetchMs: 300 });
  let runtime: TestRuntime;

  beforeAll(() => {
    runtime = current();
  });

  async function blobs(): Promise<number> {
    return (await readdir(join(runtime.home, 'store', 'blobs')).catch(() => [])).length;
  }

  describe('the way of a model', () => {
    it('goes from the installation of its engine to an answer, and back to nothing', async () => {
      const user = runtime.user();
      const installing = await install(user);
      expect(installing).toMatchObject({ status: 202, body: { engine: 'llama.cpp', state: 'queued' } });
      await user.untilEngine('llama.cpp', 'ready');
      expect(await install(user)).toMatchObject({
        status: 200,
        body: { state: 'ready', generation: installing.body.generation },
      });

      expect(await download(user, 'tiny')).toMatchObject({ status: 202, body: { state: 'queued', bytesDone: 0 } });
      const { bytesDone, bytesTotal } = await user.untilDownload('tiny', 'completed');
      expect(bytesDone).toBe(bytesTotal);
      expect(await download(user, 'tiny')).toMatchObject({ status: 200, body: { state: 'completed' } });

      expect(await start(user, 'tiny')).toMatchObject({ status: 202, body: { state: 'starting', model: 'self/tiny' } });
      await user.untilService('tiny', 'ready');
      expect(await start(user, 'tiny')).toMatchObject({ status: 200, body: { state: 'ready' } });

      expect(await stop(user, 'tiny')).toMatchObject({ status: 202, body: { state: 'stopping' } });
      await user.untilService('tiny', 'stopped');
      expect((await user.call({ method: 'DELETE', path: at('tiny') })).status).toBe(202);
      expect(await remove(user)).toMatchObject({ status: 202, body: { state: 'removing' } });
      await user.untilEngine('llama.cpp', 'not_installed');
      expect((await user.runtime()).downloads).toEqual([]);
      await eventually(async () => expect(await blobs()).toBe(0));
    });

    it('is the same by the names that the specification writes for the engines', async () => {
      const user = runtime.user();
      expect(await install(user, 'engine_1')).toMatchObject({ body: { engine: 'llama.cpp' } });
      expect(await install(user, 'engine_2')).toMatchObject({ body: { engine: 'vllm' } });
      expect(await install(user, 'engine_3')).toMatchObject({ body: { engine: 'faster-whisper' } });
      expect(await remove(user, 'engine_3')).toMatchObject({ status: 202, body: { engine: 'faster-whisper' } });
    });
  });

  describe('what projects share', () => {
    it('an engine is installed once, and stays until the last project has given it back', async () => {
      const [first, second] = [runtime.user(), runtime.user()];
      const { generation } = (await install(first)).body;
      await first.untilEngine('llama.cpp', 'ready');
      expect((await second.runtime()).engines[0]).toMatchObject({ state: 'not_installed', generation: null });
      expect(await install(second)).toMatchObject({ status: 200, body: { state: 'ready', generation } });
      await remove(first);
      expect((await first.runtime()).engines[0]?.state).toBe('not_installed');
      expect((await second.runtime()).engines[0]).toMatchObject({ state: 'ready', generation });
      await remove(second);
    });

    it('an artifact is stored once, and a service keeps running for the project that still uses it', async () => {
      const [first, second] = [runtime.user(), runtime.user()];
      await first.startModel('tiny.shared');
      const stored = await blobs();
      await second.startModel('tiny.shared');
      expect(await blobs()).toBe(stored);
      const body = {
        path: '/v1/completions',
        contentType: 'application/json',
        body: { model: 'self/tiny.shared', prompt: 'a' },
      };
      const trial = (user: RuntimeUser) => user.call({ method: 'POST', path: at('tiny.shared', '/trials'), body });
      await stop(first, 'tiny.shared');
      await first.call({ method: 'DELETE', path: at('tiny.shared') });
      await remove(first);
      expect(await trial(first)).toMatchObject({ status: 409, body: { code: 'SERVICE_NOT_RUNNING' } });
      expect(await trial(second)).toMatchObject({ status: 200 });
      expect((await second.runtime()).services[0]).toMatchObject({ state: 'ready' });
      await second.call({ method: 'DELETE', path: at('tiny.shared') });
      await second.untilService('tiny.shared', 'stopped');
      await remove(second);
    });

    it('a service that another project uses is not started anew with other options', async () => {
      const [first, second] = [runtime.user(), runtime.user()];
      await first.startModel('tiny.options');
      await second.startModel('tiny.options');
      expect(await start(second, 'tiny.options', { parallelRequests: 7 })).toMatchObject({
        status: 409,
        body: { code: 'CONFLICT' },
      });
      const before = (await first.untilService('tiny.options', 'ready')).generation;
      await stop(second, 'tiny.options');
      expect(await start(first, 'tiny.options', { parallelRequests: 7 })).toMatchObject({
        status: 202,
        body: { generation: before + 1 },
      });
      await first.untilService('tiny.options', 'ready');
      await first.call({ method: 'DELETE', path: at('tiny.options') });
    });
  });

  describe('generations', () => {
    it('of an engine grow, and what is said about an old one touches no newer one', async () => {
      const user = runtime.user();
      const old = (await install(user, 'faster-whisper')).body.generation;
      await user.untilEngine('faster-whisper', 'ready');
      const path = (generation: number) => `/engines/faster-whisper/installations/${generation}`;
      expect(await user.call({ method: 'DELETE', path: path(old) })).toMatchObject({ status: 202 });
      const { generation } = (await install(user, 'faster-whisper')).body;
      expect(generation).toBeGreaterThan(old);
      const stale = await user.call({ method: 'DELETE', path: path(old) });
      expect(stale).toMatchObject({ status: 409, body: { code: 'GENERATION_SUPERSEDED' } });
      expect(await user.call({ method: 'DELETE', path: path(generation + 1) })).toMatchObject({ status: 404 });
      await user.untilEngine('faster-whisper', 'ready');
      expect(await user.call({ method: 'DELETE', path: path(generation) })).toMatchObject({ status: 202 });
    });

    it('of a download are the same, one that is removed while it runs is cancelled, and a model is installed once all is there', async () => {
      const user = runtime.user();
      const old = (await download(user, 'tiny-cancelled')).body.generation;
      const path = (generation: number) => at('tiny-cancelled', `/downloads/${generation}`);
      expect(await user.call({ method: 'DELETE', path: path(old) })).toMatchObject({
        status: 202,
        body: { state: 'cancelled', generation: old },
      });
      expect((await user.runtime()).downloads).toEqual([expect.objectContaining({ state: 'cancelled' })]);
      const { generation } = (await download(user, 'tiny-cancelled')).body;
      expect(generation).toBe(old + 1);
      expect(await user.call({ method: 'DELETE', path: path(old) })).toMatchObject({
        status: 409,
        body: { code: 'GENERATION_SUPERSEDED' },
      });
      const installed = () => runtime.runtime.snapshots.installedModelIds(user.projectId);
      expect(await installed()).toEqual([]);
      await user.untilDownload('tiny-cancelled', 'completed');
      expect(await installed()).toEqual(['tiny-cancelled']);
      expect(await user.call({ method: 'DELETE', path: path(generation) })).toMatchObject({ status: 202 });
      expect((await user.runtime()).downloads).toEqual([]);
    });

    it.each(['0', '-1', '1.5', 'x', '99999999999999999999'])('%s is none: 404', async (generation) => {
      const user = runtime.user();
      expect(await user.call({ method: 'DELETE', path: `/engines/vllm/installations/${generation}` })).toMatchObject({
        status: 404,
      });
    });
  });

  describe('secrets', () => {
    it('the key of an engine is neither in its log nor in the database', async () => {
      const user = runtime.user();
      await user.startModel('tiny-secret');
      const endpoint = await runtime.runtime.running.endpointOf(user.projectId, 'tiny-secret');
      expect(endpoint?.apiKey).toHaveLength(43);
      await eventually(async () => {
        const { text } = await user.call({ path: '/activity' });
        expect(text).toContain('key is [key]');
        expect(text).not.toContain(endpoint?.apiKey);
      });
      await user.call({ method: 'DELETE', path: at('tiny-secret') });
    });
  });
});
