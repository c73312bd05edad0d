import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { ENGINES, type EngineName } from '@clew/contracts';
import { eventually } from '@clew/testing';
import { holdingModel, resourceModel, type ResourceDocument, type ServiceOutcome } from '@clew/model-runtime';
import { PROFILE, type AgentChild } from '@clew/testing-model-runtime';
import type { RuntimeUser, TestRuntime } from './runtime-service.ts';

const MODELS = ['tiny.a', 'tiny.b', 'whisper-tiny'] as const;
const ENGINES_USED: readonly EngineName[] = ['llama.cpp', 'faster-whisper'];
const USERS = 3;
const SETTLE = { timeoutMs: 60_000, intervalMs: 50 };
/** Maximum age of a removed generation, counted back from the current one. */
const OLDEST = 3;

type Operation =
  | { kind: 'install' | 'removeEngine'; user: number; engine: EngineName }
  | { kind: 'removeInstallation'; user: number; engine: EngineName; age: number }
  | { kind: 'download' | 'start' | 'stop' | 'removeProfile'; user: number; model: string }
  | { kind: 'removeDownload'; user: number; model: string; age: number }
  | { kind: 'killEngine' }
  | { kind: 'killAgent' }
  | { kind: 'pause'; ms: number };

const user = fc.nat(USERS - 1);
const engine = fc.constantFrom(...ENGINES_USED);
const model = fc.constantFrom(...MODELS);
const age = fc.nat(OLDEST);

/** Operations that start something are more likely than those that end it, or there would never be anything. */
function operations(crashWeight: number): fc.Arbitrary<Operation> {
  return fc.oneof(
    { weight: 10, arbitrary: fc.record({ kind: fc.constant('install' as const), user, engine }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('removeEngine' as const), user, engine }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('removeInstallation' as const), user, engine, age }) },
    { weight: 10, arbitrary: fc.record({ kind: fc.constant('download' as const), user, model }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('removeDownload' as const), user, model, age }) },
    { weight: 14, arbitrary: fc.record({ kind: fc.constant('start' as const), user, model }) },
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('stop' as const), user, model }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('removeProfile' as const), user, model }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('killEngine' as const) }) },
    { weight: crashWeight, arbitrary: fc.record({ kind: fc.constant('killAgent' as const) }) },
    { weight: 10, arbitrary: fc.record({ kind: fc.constant('pause' as const), ms: fc.integer({ min: 1, max: 200 }) }) },
  );
}

export interface RandomRun {
  runtime: TestRuntime;
  count: number;
  /** Weight of killing the agent, among weights with a sum of about sixty. */
  crashWeight: number;
  seed: number;
}

export interface RandomRunResult {
  agentKills: number;
  engineKills: number;
  /** Number of answers for each status. */
  statuses: Record<number, number>;
  checks: number;
}

const CHECK_EVERY = 50;

/** Performs random operations and checks that everything wanted is there, and nothing else. */
export async function runRandomOperations({ runtime, count, crashWeight, seed }: RandomRun): Promise<RandomRunResult> {
  const users = Array.from({ length: USERS }, () => runtime.user());
  const result: RandomRunResult = { agentKills: 0, engineKills: 0, statuses: {}, checks: 0 };
  let agent = await runtime.startAgent();
  const done: Operation[] = [];
  try {
    for (const operation of fc.sample(operations(crashWeight), { numRuns: count, seed })) {
      done.push(operation);
      agent = await carryOut(operation, { runtime, users, agent, result });
      await checkHolders(runtime);
      if (done.length % CHECK_EVERY === 0) {
        await checkNode(runtime);
        result.checks += 1;
      }
    }
    await checkNode(runtime);
    await giveEverythingBack(users);
    await checkNode(runtime);
    await eventually(() => expectNothingLeft(runtime), SETTLE);
    return result;
  } catch (error) {
    const last = done.slice(-10).map((operation) => JSON.stringify(operation));
    throw new Error(`seed ${seed}, after ${done.length} operations, the last: ${last.join(' ')}`, { cause: error });
  } finally {
    await agent.kill();
  }
}

interface World {
  runtime: TestRuntime;
  users: readonly RuntimeUser[];
  agent: AgentChild;
  result: RandomRunResult;
}

async function carryOut(operation: Operation, world: World): Promise<AgentChild> {
  const { runtime, agent, result } = world;
  switch (operation.kind) {
    case 'killAgent':
      await agent.kill();
      await runtime.endClaim();
      result.agentKills += 1;
      return runtime.startAgent();
    case 'killEngine': {
      const [pid] = enginePids(runtime.home);
      if (pid !== undefined) process.kill(pid, 'SIGKILL');
      if (pid !== undefined) result.engineKills += 1;
      return agent;
    }
    case 'pause':
      await new Promise((resolve) => setTimeout(resolve, operation.ms));
      return agent;
    default:
      await call(operation, world);
      return agent;
  }
}

type Call = Exclude<Operation, { kind: 'killAgent' | 'killEngine' | 'pause' }>;

async function call(operation: Call, { runtime, users, result }: World): Promise<void> {
  const actor = users[operation.user] as RuntimeUser;
  const before = await staleTarget(runtime, operation);
  const answer = await actor.call(requestOf(operation, before?.generation ?? 0));
  result.statuses[answer.status] = (result.statuses[answer.status] ?? 0) + 1;
  if (answer.status >= 500)
    throw new Error(`${JSON.stringify(operation)} was answered ${answer.status}: ${answer.text}`);
  if (before === undefined || generationNamed(operation, before.generation) >= before.generation) return;
  // The answer is 204 if the project has given all of it back.
  if (![204, 404, 409].includes(answer.status)) throw new Error(`a stale generation was answered ${answer.status}`);
  const after = await resourceModel(runtime.database.connection).findById(before._id).lean<ResourceDocument>();
  if (after?.generation !== before.generation || after.desired !== before.desired) {
    throw new Error('the removal of a stale generation changed a newer one');
  }
}

/** Current incarnation of the resource that an operation names by generation. */
async function staleTarget(runtime: TestRuntime, operation: Call): Promise<ResourceDocument | undefined> {
  const prefix =
    operation.kind === 'removeInstallation'
      ? `node-1/engine/${operation.engine}`
      : operation.kind === 'removeDownload'
        ? `node-1/artifact/${operation.model}/`
        : undefined;
  if (prefix === undefined) return undefined;
  const all = await resourceModel(runtime.database.connection).find().lean<ResourceDocument[]>();
  return all.find(({ _id }) => _id.startsWith(prefix));
}

function generationNamed(operation: Call, current: number): number {
  return Math.max(1, current - ('age' in operation ? operation.age : 0));
}

function requestOf(operation: Call, generation: number): Parameters<RuntimeUser['call']>[0] {
  const named = generationNamed(operation, generation);
  const profile = 'model' in operation ? `/${operation.model}/profiles/${PROFILE}` : '';
  switch (operation.kind) {
    case 'install':
      return { method: 'POST', path: `/engines/${operation.engine}/installations` };
    case 'removeEngine':
      return { method: 'DELETE', path: `/engines/${operation.engine}` };
    case 'removeInstallation':
      return { method: 'DELETE', path: `/engines/${operation.engine}/installations/${named}` };
    case 'download':
      return { method: 'POST', path: `${profile}/downloads` };
    case 'removeDownload':
      return { method: 'DELETE', path: `${profile}/downloads/${named}` };
    case 'start':
      return { method: 'PUT', path: `${profile}/service` };
    case 'stop':
      return { method: 'DELETE', path: `${profile}/service` };
    case 'removeProfile':
      return { method: 'DELETE', path: profile };
  }
}

/** Checks that the count of holders equals the number of holdings, and that every held resource is wanted. */
async function checkHolders({ database }: TestRuntime): Promise<void> {
  const resources = await resourceModel(database.connection).find().lean<ResourceDocument[]>();
  const held = await holdingModel(database.connection).find({ held: true }).lean();
  for (const { _id, holderCount, desired } of resources) {
    const holders = held.filter(({ resourceId }) => resourceId === _id).length;
    if (holders !== holderCount) throw new Error(`${_id} counts ${holderCount} holders of ${holders}`);
    if (holders > 0 !== (desired === 'present')) throw new Error(`${_id} is ${desired} with ${holders} holders`);
  }
}

/** Waits until the agent has done what it can, then compares the node with the wanted state. */
async function checkNode(runtime: TestRuntime): Promise<void> {
  await eventually(async () => {
    const resources = await resourceModel(runtime.database.connection).find().lean<ResourceDocument[]>();
    const services: number[] = [];
    for (const { _id: id, kind, generation, desired, state, outcome } of resources) {
      const folders = generationsIn(folderOf(runtime.home, { id, kind }));
      const expected = desired === 'present' ? [String(generation)] : [];
      const isAtRest = desired === 'present' ? ['ready', 'failed'].includes(state) : state === 'removed';
      if (!isAtRest) throw new Error(`${id} is ${desired} and ${state}`);
      const differs = folders.join() !== expected.join();
      // A service that waits for its next attempt, or could not be started, needs no folder.
      if (differs && state !== 'failed') throw new Error(`${id}: ${folders.join()} instead of ${expected.join()}`);
      if (kind === 'service' && state === 'ready') services.push((outcome as ServiceOutcome).port);
    }
    const ports = enginePids(runtime.home).map(portOf);
    if (ports.toSorted().join() !== services.toSorted().join()) {
      throw new Error(`engines at ${ports.join()} for services at ${services.join()}`);
    }
  }, SETTLE);
}

/** Folder of the incarnations of a resource, as the README of the agent says. */
function folderOf(home: string, { id, kind }: { id: string; kind: string }): string {
  return join(home, `${kind}s`, createHash('sha256').update(id).digest('hex').slice(0, 32));
}

function generationsIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

async function giveEverythingBack(users: readonly RuntimeUser[]): Promise<void> {
  for (const actor of users) {
    for (const modelId of MODELS) await actor.call({ method: 'DELETE', path: `/${modelId}/profiles/${PROFILE}` });
    for (const name of ENGINES) await actor.call({ method: 'DELETE', path: `/engines/${name}` });
  }
}

/** Asserts that no process, no folder of an incarnation and no unused content is left. */
function expectNothingLeft({ home }: TestRuntime): void {
  const left = ['engines', 'artifacts', 'services', 'processes', 'store/blobs'].flatMap((name) =>
    generationsIn(join(home, name)).map((entry) => `${name}/${entry}`),
  );
  if (left.length > 0) throw new Error(`left on the node: ${left.join(', ')}`);
  if (enginePids(home).length > 0) throw new Error(`engines still run: ${enginePids(home).join()}`);
}

/** Process numbers of engines, which are started with a file below the folder of their node. */
function enginePids(home: string): number[] {
  return runningPids().filter((pid) => commandOf(pid).some((argument) => argument.startsWith(join(home, 'services'))));
}

function runningPids(): number[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
}

function commandOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

function portOf(pid: number): number {
  const file = commandOf(pid).find((argument) => argument.endsWith('settings.json'));
  return file === undefined ? 0 : (JSON.parse(readFileSync(file, 'utf8')) as { port: number }).port;
}
