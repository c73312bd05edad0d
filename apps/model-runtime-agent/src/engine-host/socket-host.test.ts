import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { eventually, silentLogger, useCleanup } from '@clew/testing';
import { describeOnLinux } from '../test-support/linux.ts';
import { createChildHost } from './child-host.ts';
import { EngineHostAway, type EngineHost } from './engine-host.ts';
import { startTimeOf } from './identity.ts';
import { createSocketHost } from './socket-host.ts';
import { superviseEngines } from './supervisor.ts';

const cleanUp = useCleanup();
const ENDLESS_PROGRAM = 'setInterval(() => undefined, 1000)';
const isRunning = (pid: number) => startTimeOf(pid) !== undefined;

/** Prepares the folder and the socket that the two containers of a pod share: one for the agent, one for engines. */
async function pod() {
  const home = await mkdtemp(join(tmpdir(), 'clew-pod-'));
  cleanUp(() => rm(home, { recursive: true, force: true }));
  await mkdir(join(home, 'tmp'));
  const socketFile = join(home, 'engines.sock');
  const supervise = async () => {
    const supervisor = await superviseEngines({
      ...{ socketFile, home, logger: silentLogger() },
      host: createChildHost({ home }),
      mayRun: (file) => file === process.execPath,
    });
    cleanUp(() => supervisor.stop());
    return supervisor;
  };
  const newAgent = (): EngineHost => {
    const host = createSocketHost({ socketFile, connectTimeoutMs: 2_000 });
    cleanUp(() => host.close());
    return host;
  };
  return { home, socketFile, supervise, newAgent };
}

const run = (host: EngineHost, cwd: string, program = ENDLESS_PROGRAM, lines: string[] = []) =>
  host.start({ command: [process.execPath, '-e', program], cwd, onLine: (line) => void lines.push(line) });

describeOnLinux('engines in a container of their own', () => {
  it('behave as children of the agent do: lines, end, processor time, stop', async () => {
    const { home, supervise, newAgent } = await pod();
    await supervise();
    const host = newAgent();
    const lines: string[] = [];
    const ended = await run(host, home, 'console.log("out"); console.error("err"); process.exitCode = 3', lines);
    expect(await ended.exited).toEqual({ code: 3, signal: null });
    expect([lines.toSorted(), ended.isAlive()]).toEqual([['err', 'out'], false]);
    const lasting = await run(host, home);
    expect(lasting.startTime).toBe(startTimeOf(lasting.pid));
    expect(await lasting.processorTicks()).toBeGreaterThanOrEqual(0);
    await lasting.stop();
    expect([lasting.isAlive(), isRunning(lasting.pid)]).toEqual([false, false]);
    const { totalBytes, availableBytes } = await host.memory();
    expect(totalBytes).toBeGreaterThanOrEqual(availableBytes);
  });

  it('end with the agent that has started them, and before the next one is served', async () => {
    const { home, supervise, newAgent } = await pod();
    await supervise();
    const first = newAgent();
    const child = await run(first, home);
    const second = newAgent();
    await second.memory();
    expect(isRunning(child.pid)).toBe(false);
    expect((await child.exited).signal).toBe('SIGKILL');
    const other = await run(second, home);
    await second.close();
    await eventually(() => expect(isRunning(other.pid)).toBe(false));
  });

  it('count as ended when their supervisor is gone, and the agent starts others once it is back', async () => {
    const { home, supervise, newAgent } = await pod();
    const supervisor = await supervise();
    const host = newAgent();
    const child = await run(host, home);
    await supervisor.stop();
    expect(await child.exited).toEqual({ code: null, signal: 'SIGKILL' });
    await child.stop();
    expect(await child.processorTicks()).toBeUndefined();
    await expect(run(host, home)).rejects.toBeInstanceOf(EngineHostAway);
    await supervise();
    expect((await run(host, home)).isAlive()).toBe(true);
  });

  it('are refused unless program and folder are those of engines, and no other folder is emptied', async () => {
    const { home, supervise, newAgent } = await pod();
    await supervise();
    const host = newAgent();
    const onLine = () => undefined;
    await expect(host.start({ command: ['/bin/sh', '-c', 'true'], cwd: home, onLine })).rejects.toThrow('none of an');
    // A temporary folder, so that a broken guard empties no real folder of the machine.
    const outside = await mkdtemp(join(tmpdir(), 'clew-outside-'));
    cleanUp(() => rm(outside, { recursive: true, force: true }));
    await writeFile(join(outside, 'kept'), '');
    const around = join(home, '..', basename(outside));
    await expect(run(host, outside)).rejects.toThrow('not one of the models');
    for (const folder of [outside, around]) {
      await expect(host.empty(folder)).rejects.toThrow('not one of the models');
    }
    expect(await readdir(outside)).toEqual(['kept']);
    await expect(run(host, join(home, 'none'))).rejects.toThrow();
    expect((await run(host, home)).isAlive()).toBe(true);
  });

  it('can be commanded only by the agent and its group', async () => {
    const { socketFile, supervise } = await pod();
    await supervise();
    expect(((await stat(socketFile)).mode & 0o777).toString(8)).toBe('660');
  });

  it('share a folder with the agent, which their host empties', async () => {
    const { home, supervise, newAgent } = await pod();
    await supervise();
    const host = newAgent();
    const folder = join(home, 'venv');
    await mkdir(folder);
    await host.share(folder);
    expect(((await stat(folder)).mode & 0o7777).toString(8)).toBe('2770');
    await writeFile(join(folder, 'file'), '');
    await host.empty(folder);
    expect(await readdir(folder)).toEqual([]);
    await host.empty(join(home, 'none'));
  });

  it('can be started after any nonsense was sent to their supervisor, which ends only that connection', async () => {
    const { socketFile, home, supervise, newAgent } = await pod();
    await supervise();
    const nonsense = fc.oneof(fc.json(), fc.string({ unit: 'binary' }), fc.constant('x'.repeat(2_000_000)));
    await fc.assert(
      fc.asyncProperty(nonsense, async (text) => {
        const socket = connect(socketFile);
        socket.on('error', () => undefined);
        socket.resume();
        await once(socket, 'connect');
        socket.write(`${text.replaceAll('\n', ' ')}\n`);
        await once(socket, 'close');
      }),
      { numRuns: 25 },
    );
    expect((await run(newAgent(), home)).isAlive()).toBe(true);
  });
});
