import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { useTemporaryDirectory } from '../test-support/temporary-directory.ts';
import { keepAlive } from './keep-alive.ts';
import { identifyProcess } from './process-identity.ts';
import { createProcessRegistry } from './process-registry.ts';
import { createUnit } from './unit.ts';
import type { Unit, UnitSpec } from './unit.ts';
import { pollUntil } from './waiting.ts';

const directory = useTemporaryDirectory();

function unitOf(name: string, script: string, overrides: Partial<UnitSpec> = {}): Unit {
  const logFile = path.join(directory(), `${name}.log`);
  const spec: UnitSpec = {
    name,
    tier: 'app',
    command: () => ({ file: process.execPath, args: ['-e', script], env: process.env }),
    logFile,
    ready: (signal) =>
      pollUntil(async () => fs.readFileSync(logFile, 'utf8').includes('ready'), { intervalMs: 10, signal }),
    readyTimeoutMs: 15_000,
    stopGraceMs: 10_000,
    ...overrides,
  };
  return createUnit(spec, createProcessRegistry(path.join(directory(), 'processes.json')));
}

const SERVES = "console.log('ready'); setInterval(() => {}, 1000)";
const isGone = (pid: number | undefined) => identifyProcess(pid ?? 0) === undefined;

describe('a unit', () => {
  it('has started when it is ready, and is gone when it has stopped', async () => {
    const unit = unitOf('serves', SERVES);
    await unit.start();
    const pid = unit.pid();
    expect(isGone(pid)).toBe(false);
    await unit.stop();
    expect(unit.pid()).toBeUndefined();
    expect(isGone(pid)).toBe(true);
  });

  it('that ends before it is ready fails with the end of its log', async () => {
    const unit = unitOf('dies', "console.log('cannot bind'); process.exit(4)");
    await expect(unit.start()).rejects.toMatchObject({
      message: expect.stringContaining('ended with exit code 4 before it was ready'),
      logTail: ['cannot bind'],
    });
  });

  it('that does not become ready in time is ended', async () => {
    const unit = unitOf('late', "console.log('loading'); setInterval(() => {}, 1000)", { readyTimeoutMs: 300 });
    await expect(unit.start()).rejects.toThrow('was not ready within 0.3 s');
    expect(unit.pid()).toBeUndefined();
  });

  it('that ignores the request to stop is ended by force after the grace', async () => {
    const unit = unitOf('stubborn', `process.on('SIGTERM', () => {}); ${SERVES}`, { stopGraceMs: 100 });
    await unit.start();
    const pid = unit.pid();
    await unit.stop();
    expect(isGone(pid)).toBe(true);
  });

  it('takes its own children with it, also when it is killed', async () => {
    const script = `const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
      console.log('child ' + child.pid); ${SERVES}`;
    const unit = unitOf('parent', script);
    await unit.start();
    const child = Number(/child (\d+)/.exec(fs.readFileSync(unit.logFile, 'utf8'))?.[1]);
    expect(isGone(child)).toBe(false);
    process.kill(unit.pid() ?? 0, 'SIGKILL');
    await pollUntil(async () => isGone(child), { intervalMs: 10, signal: AbortSignal.timeout(10_000) });
    expect(unit.pid()).toBeUndefined();
  });
});

describe('a unit that is kept alive', () => {
  it('is started again when it is killed, until the watch is cancelled', async () => {
    const unit = unitOf('kept', SERVES);
    await unit.start();
    const firstPid = unit.pid() ?? 0;
    const restarted = Promise.withResolvers<void>();
    const watch = keepAlive(unit, { log: () => undefined, onRestarted: restarted.resolve });
    process.kill(firstPid, 'SIGKILL');
    await restarted.promise;
    const secondPid = unit.pid() ?? 0;
    expect(secondPid).not.toBe(firstPid);

    watch.cancel();
    const ended = new Promise((resolve) => unit.onExit(resolve));
    process.kill(secondPid, 'SIGKILL');
    expect(await ended).toEqual({ ending: 'signal SIGKILL', expected: false });
    expect(unit.pid()).toBeUndefined();
  });

  it('stays stopped when it was told to stop', async () => {
    const unit = unitOf('told', SERVES);
    await unit.start();
    const reports: string[] = [];
    keepAlive(unit, { log: (line) => reports.push(line), onRestarted: () => undefined });
    await unit.stop();
    expect(unit.pid()).toBeUndefined();
    expect(reports).toEqual([]);
  });

  it('is tried again when it does not come back at once', async () => {
    const flag = path.join(directory(), 'may-serve');
    fs.writeFileSync(flag, '');
    const unit = unitOf('flaky', `if (!require('node:fs').existsSync('${flag}')) process.exit(1); ${SERVES}`);
    await unit.start();
    fs.rmSync(flag);
    const restarted = Promise.withResolvers<void>();
    const watch = keepAlive(unit, {
      log: (line) => {
        if (line.includes('did not come back')) fs.writeFileSync(flag, '');
      },
      onRestarted: restarted.resolve,
    });
    process.kill(unit.pid() ?? 0, 'SIGKILL');
    await restarted.promise;
    expect(unit.pid()).toBeDefined();
    watch.cancel();
    await unit.kill();
  });
});
