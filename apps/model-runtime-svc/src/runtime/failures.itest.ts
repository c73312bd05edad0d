import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@clew/testing';
import { keyWith } from '@clew/testing/identities';
import { AWAY_SOURCE, BROKEN_REGISTRY, ENGINE_HOSTS, FULL_DISK } from '@clew/testing-model-runtime';
import { at, download, install, remove, start, stop } from '../test-support/runtime-calls.ts';
import { useTestRuntime, type TestRuntime } from '../test-support/runtime-service.ts';

describe.each(ENGINE_HOSTS)('engines %s:', (engines) => {
  const current = useTestRuntime({ engines });
  let runtime: TestRuntime;

  beforeAll(() => {
    runtime = current();
  });

  /** Runs work while a file is in place that makes something fail. */
  async function whileThereIs(name: string, work: () => Promise<void>): Promise<void> {
    await writeFile(join(runtime.home, name), '');
    try {
      await work();
    } finally {
      await rm(join(runtime.home, name));
    }
  }

  describe('what goes wrong', () => {
    it('an installation that fails says why, and the next one is a new generation', async () => {
      const user = runtime.user();
      await whileThereIs(BROKEN_REGISTRY, async () => {
        await install(user, 'faster-whisper');
        const failed = await user.untilEngine('faster-whisper', 'failed');
        expect(failed.error).toEqual({ code: 'INSTALL_FAILED', message: 'no such package' });
      });
      const again = await install(user, 'faster-whisper');
      expect(again).toMatchObject({ status: 202, body: { error: null } });
      await user.untilEngine('faster-whisper', 'ready');
      await remove(user, 'faster-whisper');
    });

    it('vLLM on a node without a GPU says so', async () => {
      const user = runtime.user();
      await install(user, 'vllm');
      expect((await user.untilEngine('vllm', 'failed')).error?.code).toBe('GPU_REQUIRED');
      await remove(user, 'vllm');
    });

    it('a download whose source is away fails with the reason, and goes on when it is asked for again', async () => {
      const user = runtime.user();
      await whileThereIs(AWAY_SOURCE, async () => {
        await download(user, 'tiny-away');
        expect((await user.untilDownload('tiny-away', 'failed')).error).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
      });
      await download(user, 'tiny-away');
      await user.untilDownload('tiny-away', 'completed');
      await user.call({ method: 'DELETE', path: at('tiny-away') });
    });

    it('a disk that becomes full under way is named as the reason, and a download goes on when there is room', async () => {
      const user = runtime.user();
      await whileThereIs(FULL_DISK, async () => {
        await download(user, 'tiny-full');
        const { error } = await user.untilDownload('tiny-full', 'failed');
        expect(error).toEqual({ code: 'INSUFFICIENT_DISK', message: 'The models volume is full' });
      });
      await download(user, 'tiny-full');
      await user.untilDownload('tiny-full', 'completed');
      await user.call({ method: 'DELETE', path: at('tiny-full') });
    });

    it('a service whose engine ends at once fails with the reason and leaves no process', async () => {
      const user = runtime.user();
      await user.prepareModel('exits-at-once');
      await start(user, 'exits-at-once');
      const { error, nextAttemptAt } = await user.untilService('exits-at-once', 'failed');
      expect(error).toEqual({ code: 'ENGINE_EXITED', message: expect.stringMatching(/unknown model architecture/) });
      expect(nextAttemptAt).toBeNull();
      expect(await readdir(join(runtime.home, 'processes'))).toEqual([]);
      await user.call({ method: 'DELETE', path: at('exits-at-once') });
      await remove(user);
    });

    it('an engine that does not end when it is told to is killed', async () => {
      const user = runtime.user();
      await user.startModel('ignores-term');
      const [record] = await readdir(join(runtime.home, 'processes'));
      await stop(user, 'ignores-term');
      await eventually(async () => expect((await user.runtime()).services[0]?.state).toBe('stopped'), {
        timeoutMs: 15_000,
      });
      expect(record).toBeDefined();
      expect(await readdir(join(runtime.home, 'processes'))).toEqual([]);
      await user.call({ method: 'DELETE', path: at('ignores-term') });
    });

    it('a crash is followed by another start after a pause', async () => {
      const user = runtime.user();
      await user.startModel('tiny-crash');
      const body = {
        path: '/v1/completions',
        contentType: 'application/json',
        body: { model: 'self/tiny-crash', prompt: 'crash' },
      };
      const trial = await user.call({ method: 'POST', path: at('tiny-crash', '/trials'), body });
      expect(trial).toMatchObject({ status: 503, body: { code: 'UPSTREAM_UNAVAILABLE' } });
      const failed = await user.untilService('tiny-crash', 'failed');
      expect(failed).toMatchObject({ error: { code: 'ENGINE_EXITED' }, failureCount: 1 });
      expect((failed.nextAttemptAt ?? 0) - Date.now()).toBeGreaterThan(5_000);
      await user.call({ method: 'DELETE', path: at('tiny-crash') });
    });

    it('an artifact whose bytes changed on the disk is fetched again before an engine sees it', async () => {
      const user = runtime.user();
      await user.prepareModel('tiny-damaged');
      for (const name of await readdir(join(runtime.home, 'store', 'blobs'))) {
        await writeFile(join(runtime.home, 'store', 'blobs', name), 'damaged');
      }
      await start(user, 'tiny-damaged');
      await user.untilService('tiny-damaged', 'ready');
      expect(await user.untilDownload('tiny-damaged', 'completed')).toMatchObject({ error: null });
      await user.call({ method: 'DELETE', path: at('tiny-damaged') });
    });
  });

  describe('what is refused', () => {
    const other = () => runtime.user();

    it.each([
      ['an unknown engine', 'POST', '/engines/gpt/installations', 404, 'ENGINE_NOT_FOUND'],
      ['an engine named like a property', 'POST', '/engines/constructor/installations', 404, 'ENGINE_NOT_FOUND'],
      ['the removal of an unknown engine', 'DELETE', '/engines/gpt', 404, 'ENGINE_NOT_FOUND'],
      ['the download of an unknown model', 'POST', '/nothing/profiles/q4/downloads', 404, 'MODEL_NOT_FOUND'],
      ['the download of an unknown profile', 'POST', '/tiny/profiles/q9/downloads', 404, 'PROFILE_NOT_FOUND'],
      ['the download of what is gated', 'POST', '/gated-model/profiles/q4/downloads', 403, 'GATED_REPOSITORY'],
      ['a download that does not fit on the disk', 'POST', '/huge/profiles/q4/downloads', 409, 'INSUFFICIENT_DISK'],
      ['the removal of a download that is not there', 'DELETE', '/tiny/profiles/q4/downloads/1', 404, 'NOT_FOUND'],
      ['a service of an unknown model', 'PUT', '/nothing/profiles/q4/service', 404, 'MODEL_NOT_FOUND'],
      ['a service without its engine', 'PUT', '/tiny/profiles/q4/service', 409, 'ENGINE_NOT_INSTALLED'],
    ] as const)('%s: %s %s is %i %s', async (_name, method, path, status, code) => {
      expect(await other().call({ method, path })).toMatchObject({ status, body: { code } });
    });

    it('a service before its download, or with more memory than there is, and options that make no sense', async () => {
      const user = runtime.user();
      await install(user);
      await user.untilEngine('llama.cpp', 'ready');
      expect(await start(user, 'tiny')).toMatchObject({ status: 409, body: { code: 'ARTIFACT_NOT_DOWNLOADED' } });
      await download(user, 'vast');
      await user.untilDownload('vast', 'completed');
      expect(await start(user, 'vast')).toMatchObject({ status: 409, body: { code: 'INSUFFICIENT_MEMORY' } });
      expect(await start(user, 'vast', { contextLength: 1, more: true })).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_FAILED' },
      });
      await user.call({ method: 'DELETE', path: at('vast') });
      await remove(user);
    });

    it('what a service of the project stands on', async () => {
      const user = runtime.user();
      const { generation } = await user.startModel('tiny');
      expect(await remove(user)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
      const path = at('tiny', `/downloads/${generation}`);
      expect(await user.call({ method: 'DELETE', path })).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
      await user.call({ method: 'DELETE', path: at('tiny') });
      await user.untilService('tiny', 'stopped');
      await remove(user);
    });

    it('callers without the scope', async () => {
      const user = runtime.user();
      const reader = keyWith('workspace:read');
      expect(await user.call({ path: '/runtime', principal: reader })).toMatchObject({ status: 200 });
      expect(await user.call({ path: '/runtime', principal: keyWith('models:manage') })).toMatchObject({ status: 403 });
      const calls = [
        { method: 'POST', path: '/engines/vllm/installations' },
        { method: 'DELETE', path: '/engines/vllm' },
        { method: 'POST', path: at('tiny', '/downloads') },
        { method: 'PUT', path: at('tiny', '/service') },
        { method: 'DELETE', path: at('tiny', '/service') },
        { method: 'DELETE', path: at('tiny') },
        { method: 'POST', path: at('tiny', '/trials') },
      ] as const;
      for (const call of calls) expect(await user.call({ ...call, principal: reader })).toMatchObject({ status: 403 });
    });
  });
});
