import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from '@jest/globals';
import { eventually } from '@clew/testing';
import { useCleanup } from '../../test-support/cleanup.ts';
import { describeOnLinux } from '../../test-support/linux.ts';
import { startChild } from './child.ts';
import { bootId, NONCE_VARIABLE, startTimeOf } from './identity.ts';
import { reapLeftProcesses } from './reap.ts';
import { createProcessRecords, isRecordedProcess, markOf, type ProcessRecord } from './records.ts';

const cleanUp = useCleanup();
const NODE = process.execPath;
const WAIT_FOR_EVER = 'setInterval(() => undefined, 1000)';
const isRunning = (pid: number) => startTimeOf(pid) !== undefined;

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'clew-processes-'));
  cleanUp(() => rm(path, { recursive: true, force: true }));
  return path;
}

async function start(program: string, env: Record<string, string> = {}, lines: string[] = []) {
  const child = await startChild({
    command: [NODE, '-e', program],
    cwd: tmpdir(),
    env,
    onLine: (line) => void lines.push(line),
  });
  cleanUp(() => child.stop(0));
  return child;
}

/** A process of which nothing is known but its record. */
async function stray(generation = 1): Promise<ProcessRecord> {
  const record = { resourceId: 'r', generation, port: 4711, nonce: 'ab'.repeat(16), bootId: bootId() };
  const child = spawn(NODE, ['-e', WAIT_FOR_EVER], {
    env: { ...process.env, [NONCE_VARIABLE]: markOf(record) },
    stdio: 'ignore',
  });
  await once(child, 'spawn');
  cleanUp(async () => child.kill('SIGKILL'));
  const pid = child.pid ?? 0;
  return { ...record, pid, startTime: startTimeOf(pid) ?? null };
}

describeOnLinux('a child process', () => {
  it('tells what it prints on both streams, and how it ended', async () => {
    const lines: string[] = [];
    const child = await start('console.log("out"); console.error("err"); process.exitCode = 3', {}, lines);
    expect(await child.exited).toEqual({ code: 3, signal: null });
    expect(lines.toSorted()).toEqual(['err', 'out']);
  });

  it('gets none of the secrets of this process', async () => {
    process.env['AUTH_SECRET'] = 'must not be seen';
    const lines: string[] = [];
    const child = await start('console.log(JSON.stringify(process.env))', { GIVEN: 'yes' }, lines);
    await child.exited;
    delete process.env['AUTH_SECRET'];
    const env = JSON.parse(lines.join('')) as Record<string, string>;
    expect(env).toMatchObject({ GIVEN: 'yes', PATH: process.env['PATH'] });
    expect(JSON.stringify(env)).not.toContain('must not be seen');
  });

  it('is killed with its group when it does not end in time', async () => {
    const lines: string[] = [];
    const grandchild = `require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(WAIT_FOR_EVER)}]).pid`;
    const program = `process.on("SIGTERM", () => console.log("no")); console.log(${grandchild}); ${WAIT_FOR_EVER}`;
    const child = await start(program, {}, lines);
    await eventually(() => expect(lines).toHaveLength(1));
    await child.stop(200);
    expect(isRunning(child.pid)).toBe(false);
    expect(lines).toContain('no');
    await eventually(() => expect(isRunning(Number(lines[0]))).toBe(false));
  });

  it('dies with the process that started it, also when that is killed', async () => {
    const module = join(import.meta.dirname, 'child.ts');
    const program = `
      const { startChild } = await import(${JSON.stringify(module)});
      const command = [process.execPath, '-e', ${JSON.stringify(WAIT_FOR_EVER)}];
      const child = await startChild({ command, cwd: '/', onLine() {} });
      console.log(child.pid);`;
    const parent = spawn(NODE, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(createInterface({ input: parent.stdout }), 'line')) as [string];
    const pid = Number(line);
    expect(isRunning(pid)).toBe(true);
    parent.kill('SIGKILL');
    await eventually(() => expect(isRunning(pid)).toBe(false));
  });
});

describeOnLinux('what an agent that was killed has left running', () => {
  it('is ended, and so is what carries its mark', async () => {
    const records = createProcessRecords(await folder());
    const record = await stray();
    const helper = await stray();
    await records.write(record);
    expect(await reapLeftProcesses(records)).toBe(2);
    expect([record, helper].map(({ pid }) => isRunning(pid ?? 0))).toEqual([false, false]);
    expect(await records.list()).toEqual([]);
  });

  it('is found by its mark where the agent was killed before it knew the number', async () => {
    const records = createProcessRecords(await folder());
    const record = await stray();
    await records.write({ ...record, pid: null, startTime: null });
    expect(await reapLeftProcesses(records)).toBe(1);
    expect(isRunning(record.pid ?? 0)).toBe(false);
  });

  it('is ended though the agent was killed while it wrote the number down, and no half record stays', async () => {
    const recordsFolder = await folder();
    const records = createProcessRecords(recordsFolder);
    const record = await stray();
    await records.write({ ...record, pid: null, startTime: null });
    await writeFile(join(recordsFolder, `${record.nonce}.json.new`), JSON.stringify(record).slice(0, 20));
    expect(await reapLeftProcesses(records)).toBe(1);
    expect(isRunning(record.pid ?? 0)).toBe(false);
    expect(await readdir(recordsFolder)).toEqual([]);
  });

  it.each([
    ['start time', { startTime: '1' }],
    ['boot', { bootId: 'another' }],
    ['generation', { generation: 2 }],
    ['port', { port: 4712 }],
    ['nonce', { nonce: 'cd'.repeat(16) }],
  ])('is not taken for a process that differs in its %s', async (_name, other) => {
    const record = await stray();
    expect(isRecordedProcess(record)).toBe(true);
    expect(isRecordedProcess({ ...record, ...other })).toBe(false);
  });

  it('leaves alone a process that got the number of one that has ended', async () => {
    const records = createProcessRecords(await folder());
    const bystander = await stray();
    await records.write({ ...bystander, startTime: '1', nonce: 'cd'.repeat(16) });
    expect(await reapLeftProcesses(records)).toBe(0);
    expect(isRunning(bystander.pid ?? 0)).toBe(true);
  });
});
