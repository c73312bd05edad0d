import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from '@jest/globals';
import { eventually, useCleanup } from '@clew/testing';
import { describeOnLinux } from '../test-support/linux.ts';
import { createChildHost, engineUser } from './child-host.ts';
import type { EngineStart } from './engine-host.ts';
import { startTimeOf } from './identity.ts';

const cleanUp = useCleanup();
const NODE = process.execPath;
const WAIT_FOR_EVER = 'setInterval(() => undefined, 1000)';
const ENGINE_UID = 10_002;
const isRunning = (pid: number) => startTimeOf(pid) !== undefined;

async function newHome(): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'clew-host-'));
  cleanUp(() => rm(home, { recursive: true, force: true }));
  const privateFolders = join(home, 'tmp');
  await mkdir(privateFolders);
  const user = engineUser(ENGINE_UID);
  // Ownership as left by earlier versions.
  if (user !== undefined) await chown(privateFolders, user.uid, user.gid);
  await createChildHost({ home, user }).shareForPrivateFolders(privateFolders);
  await chmod(home, 0o755);
  return home;
}

/** Runs a JavaScript program in the same place, and as the same user, as an engine. */
async function start(program: string, more: Partial<EngineStart> = {}) {
  const home = await newHome();
  const lines: string[] = [];
  const host = createChildHost({ home, user: engineUser(ENGINE_UID) });
  const child = await host.start({
    command: [NODE, '-e', program],
    cwd: home,
    onLine: (line) => void lines.push(line),
    ...more,
  });
  cleanUp(() => child.stop(0));
  return { home, host, child, lines };
}

async function printedBy(program: string, more: Partial<EngineStart> = {}): Promise<unknown> {
  const { child, lines } = await start(`console.log(JSON.stringify((() => { ${program} })()))`, more);
  expect(await child.exited).toEqual({ code: 0, signal: null });
  return JSON.parse(lines.join(''));
}

/** Sets variables of this process while the work runs. */
async function withVariables<T>(variables: Record<string, string>, work: () => Promise<T>): Promise<T> {
  const before = process.env;
  process.env = { ...before, ...variables };
  try {
    return await work();
  } finally {
    process.env = before;
  }
}

const SECRETS = {
  AUTH_SECRET: 'must not be seen',
  MONGO_URL: 'mongodb://agent:must-not-be-seen@db',
  AMQP_URL: 'amqp://agent:must-not-be-seen@broker',
  AGENT_KEYS_FILE: '/must/not/be/seen',
  HF_TOKEN: 'must not be seen',
  PIP_INDEX_URL: 'https://user:must-not-be-seen@registry.example/simple',
  PIP_CERT: '/must/not/be/seen',
  HTTPS_PROXY: 'http://user:must-not-be-seen@proxy.example',
  no_proxy: 'must not be seen',
  NODE_OPTIONS: '',
};

describeOnLinux('what runs as a child of the agent', () => {
  it('sees what says how programs run, what it is given, a folder of its own, and nothing else of the agent', async () => {
    const variables = { ...SECRETS, CUDA_VISIBLE_DEVICES: '0', LANG: 'C.UTF-8' };
    const env = await withVariables(variables, () => printedBy('return process.env', { env: { GIVEN: 'yes' } }));
    const { HOME, TMPDIR, ...rest } = env as Record<string, string>;
    expect(rest).toMatchObject({ GIVEN: 'yes', CUDA_VISIBLE_DEVICES: '0', LANG: 'C.UTF-8', PATH: process.env['PATH'] });
    expect(JSON.stringify(env)).not.toMatch(/must.not.be.seen/);
    const known = /^(?:GIVEN|PATH|LANG|LC_\w+|TZ|LD_LIBRARY_PATH|CUDA_\w+|NVIDIA_\w+|VLLM_\w+)$/;
    expect(Object.keys(rest).filter((name) => !known.test(name))).toEqual([]);
    expect(HOME).toBe(TMPDIR);
  });

  it('has its private folder in the home of the models for as long as it runs, for its own eyes', async () => {
    const { home, child, lines } = await start(
      `require("fs").writeFileSync(process.env.HOME + "/kept", ""); console.log(process.env.HOME); ${WAIT_FOR_EVER}`,
    );
    await eventually(() => expect(lines).toHaveLength(1));
    expect(dirname(lines[0]!)).toBe(join(home, 'tmp'));
    expect((statSync(lines[0]!).mode & 0o777).toString(8)).toBe('700');
    expect(readdirSync(join(home, 'tmp'))).toHaveLength(1);
    await child.stop();
    expect(await readdir(join(home, 'tmp'))).toEqual([]);
  });

  it('tells what it prints on both streams, and how it ended', async () => {
    const { child, lines } = await start('console.log("out"); console.error("err"); process.exitCode = 3');
    expect(await child.exited).toEqual({ code: 3, signal: null });
    expect(lines.toSorted()).toEqual(['err', 'out']);
  });

  it('fills no memory with a line that does not end', async () => {
    const { child, lines } = await start(
      'process.stdout.write("x".repeat(3_000_000)); console.log(); console.log("on")',
    );
    await child.exited;
    expect(lines).toEqual([expect.stringMatching(/^\(a line that is longer than \d+ bytes\)$/), 'on']);
  });

  it('is killed with its group when it does not end in time', async () => {
    const grandchild = `require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(WAIT_FOR_EVER)}]).pid`;
    const program = `process.on("SIGTERM", () => console.log("no")); console.log(${grandchild}); ${WAIT_FOR_EVER}`;
    const { child, lines } = await start(program);
    await eventually(() => expect(lines).toHaveLength(1));
    await child.stop(200);
    expect(isRunning(child.pid)).toBe(false);
    expect(lines).toContain('no');
    await eventually(() => expect(isRunning(Number(lines[0]))).toBe(false));
  });

  it('takes along what has left its group and carries its mark', async () => {
    const options = `{ detached: true, stdio: "ignore" }`;
    const grandchild = `require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(WAIT_FOR_EVER)}], ${options}).pid`;
    const { child, lines } = await start(`console.log(${grandchild}); ${WAIT_FOR_EVER}`, {
      mark: 'a mark of this test',
    });
    await eventually(() => expect(lines).toHaveLength(1));
    await child.stop(200);
    expect(isRunning(Number(lines[0]))).toBe(false);
  });

  it('dies with the process that started it, also when that is killed', async () => {
    const module = join(import.meta.dirname, 'child-host.ts');
    const home = await newHome();
    const program = `
      const { createChildHost, engineUser } = await import(${JSON.stringify(module)});
      const host = createChildHost({ home: ${JSON.stringify(home)}, user: engineUser(${ENGINE_UID}) });
      const command = [process.execPath, '-e', ${JSON.stringify(WAIT_FOR_EVER)}];
      const child = await host.start({ command, cwd: '/', onLine() {} });
      console.log(child.pid);`;
    const parent = spawn(NODE, ['--conditions=clew-source', '--input-type=module', '-e', program], {
      cwd: import.meta.dirname,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(createInterface({ input: parent.stdout }), 'line')) as [string];
    const pid = Number(line);
    expect(isRunning(pid)).toBe(true);
    parent.kill('SIGKILL');
    await eventually(() => expect(isRunning(pid)).toBe(false));
  });
});

/** User of an agent that is not root, whose engines run as the same user. */
const ORDINARY_USER = { uid: 10_003, gid: 10_003 };

it('of an agent that is not root it is the same user, and sees nothing of its environment all the same', async () => {
  const home = await newHome();
  await chmod(home, 0o777);
  await chmod(join(home, 'tmp'), 0o777);
  const engine = 'console.log(JSON.stringify([process.getuid(), process.env]))';
  const program = `
    const { createChildHost, engineUser } = await import(${JSON.stringify(join(import.meta.dirname, 'child-host.ts'))});
    const home = ${JSON.stringify(home)};
    const host = createChildHost({ home, user: engineUser(${ENGINE_UID}) });
    const command = [process.execPath, '-e', ${JSON.stringify(engine)}];
    await (await host.start({ command, cwd: home, onLine: (line) => console.log(line) })).exited;`;
  const agent = spawn(NODE, ['--conditions=clew-source', '--input-type=module', '-e', program], {
    cwd: import.meta.dirname,
    env: { PATH: process.env['PATH'], ...SECRETS },
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(process.getuid?.() === 0 ? ORDINARY_USER : {}),
  });
  const [line] = (await once(createInterface({ input: agent.stdout }), 'line')) as [string];
  const [uid, env] = JSON.parse(line) as [number, Record<string, string>];
  expect(uid).toBe(process.getuid?.() === 0 ? ORDINARY_USER.uid : process.getuid?.());
  expect(JSON.stringify(env)).not.toMatch(/must.not.be.seen/);
});

const describeAsRoot = process.getuid?.() === 0 ? describe : describe.skip;

describeAsRoot('what runs as a child of an agent that is root', () => {
  const reading = (file: string) =>
    `try { return require('fs').readFileSync(${JSON.stringify(file)}, 'utf8').length } catch (error) { return error.code }`;

  it('is another user, of no other group', async () => {
    const who = 'return [process.getuid(), process.getgid(), process.getgroups()]';
    expect(await printedBy(who)).toEqual([ENGINE_UID, ENGINE_UID, [ENGINE_UID]]);
  });

  it('reads neither the environment of the agent nor the files that hold its keys', async () => {
    const keys = join(await newHome(), 'agent-keys.json');
    await writeFile(keys, 'secret', { mode: 0o600 });
    expect(await printedBy(reading(`/proc/${process.pid}/environ`))).toBe('EACCES');
    expect(await printedBy(reading(`/proc/${process.pid}/mem`))).toBe('EACCES');
    expect(await printedBy(reading(keys))).toBe('EACCES');
    // Control: this process itself may read the file.
    expect((await readFile(`/proc/${process.pid}/environ`)).length).toBeGreaterThan(0);
  });

  it('is not started where it may not enter the folder of the models, and it is said which one is closed to it', async () => {
    const { home, host } = await start('');
    await chmod(home, 0o700);
    const starting = host.start({ command: [NODE, '-e', ''], cwd: '/', onLine: () => undefined });
    await expect(starting).rejects.toThrow(`user ${ENGINE_UID}, who may not enter ${home}: say another place`);
  });

  it('writes nowhere but into what is shared with it', async () => {
    const { home, host } = await start('');
    const shared = join(home, 'venv');
    await mkdir(shared);
    await host.share(shared);
    const writing = (folder: string) =>
      `try { require('fs').writeFileSync(${JSON.stringify(join(folder, 'file'))}, '') } catch (error) { return error.code } return 'written'`;
    expect(await printedBy(writing(home))).toBe('EACCES');
    expect(await printedBy(writing(shared))).toBe('written');
    await host.empty(shared);
    expect(await readdir(shared)).toEqual([]);
    await host.empty(join(home, 'none'));
  });

  it('cannot put anything in the place of a private folder, nor have the agent follow a link', async () => {
    const { home, host, child, lines } = await start(
      `const fs = require('fs');
      for (const act of [() => fs.rmdirSync(process.env.HOME), () => fs.symlinkSync('/', process.env.HOME + '/../planted')])
        try { act(); console.log('done'); } catch (error) { console.log(error.code); }
      ${WAIT_FOR_EVER}`,
    );
    const outside = await mkdtemp(join(tmpdir(), 'clew-outside-'));
    cleanUp(() => rm(outside, { recursive: true, force: true }));
    await eventually(() => expect(lines).toEqual(['EACCES', 'EACCES']));
    await symlink(outside, join(home, 'link'));
    await host.share(join(home, 'link'));
    expect(statSync(outside).uid).toBe(0);
    await child.stop(0);
  });

  it('has what it wrote removed as its own user, who could not remove anything else', async () => {
    const { home, host } = await start('');
    const shared = join(home, 'venv');
    await mkdir(join(shared, 'of-the-agent'), { recursive: true });
    await writeFile(join(shared, 'of-the-agent', 'file'), '');
    await host.share(shared);
    const making = `require('fs').mkdirSync(${JSON.stringify(join(shared, 'a/b'))}, { recursive: true }); return 'made'`;
    expect(await printedBy(making)).toBe('made');
    await host.empty(shared);
    expect(await readdir(shared)).toEqual(['of-the-agent']);
  });
});
