import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { eventually, useCleanup } from '@clew/testing';
import { describeOnLinux } from '../test-support/linux.ts';
import { bootId, NONCE_VARIABLE, startTimeOf } from '../engine-host/index.ts';
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

/** Starts a process of which only its record is known. */
async function stray(generation = 1): Promise<ProcessRecord> {
  const record = { resourceId: 'r', generation, port: 4711, nonce: 'ab'.repeat(16), bootId: bootId() };
  const child = spawn(NODE, ['-e', WAIT_FOR_EVER], {
    env: { ...process.env, [NONCE_VARIABLE]: markOf(record) },
    stdio: 'ignore',
  });
  await once(child, 'spawn');
  cleanUp(async () => child.kill('SIGKILL'));
  const pid = child.pid ?? 0;
  const started = { ...record, pid, startTime: startTimeOf(pid) ?? null };
  // The kernel shows the variables of a process a moment after it was started.
  await eventually(() => expect(isRecordedProcess(started)).toBe(true));
  return started;
}

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
