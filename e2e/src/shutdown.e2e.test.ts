import { get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addressVariable, CALLED_SERVICES, type CalledService } from '@clew/contracts';
import { restartApp, startBeside, type ProcessBeside } from '@clew/stack';
import { eventually } from '@clew/testing';
import {
  allText,
  defaultAnswer,
  lastUserText,
  startProvider,
  type ChatRequest,
  type ScriptedProvider,
} from '@clew/testing/provider';
import { begin, heldCalls, SAID_IN_CHATS, type BegunCall, type HeldCall } from './support/calls-in-flight.ts';
import { processes } from './support/chaos.ts';
import { startCountingRelay, type CountingRelay } from './support/counting-relay.ts';
import { importTaught, itemsOf, newGoal, extractionModel, wordsOf } from './support/knowledge-model.ts';
import { stackHome } from './support/stack.ts';
import { createTestProject, type TestProject } from './support/test-project.ts';

/** Time limits that let even a slow machine answer a call. */
const SETTINGS = { SHUTDOWN_GRACE_MS: '120000', REQUEST_TIMEOUT_MS: '120000' };
/** Services that are told to stop: all of them in the long tier, and else two whose calls have every class. */
const ENDED: readonly CalledService[] =
  process.env['CLEW_SHUTDOWN'] === 'all' ? CALLED_SERVICES : ['datasets-svc', 'model-runtime-svc'];
const TIMEOUT_MS = 240_000;
const WAIT = { timeoutMs: 60_000, intervalMs: 100 };

let project: TestProject;
let provider: ScriptedProvider;
/** Releases the answer of the model. */
let letModelAnswer: () => void;
let modelMayAnswer: Promise<void>;
const started: ProcessBeside[] = [];

beforeAll(async () => {
  holdModel();
  provider = await startProvider({
    async reply(request) {
      await modelMayAnswer;
      return defaultAnswer(request);
    },
  });
  project = await createTestProject('shutdown');
  const made = await project.call('/models/providers', { body: { name: 'loop', baseUrl: provider.url } });
  expect(made.status).toBe(201);
}, TIMEOUT_MS);
afterAll(async () => {
  letModelAnswer();
  await Promise.all(started.map((each) => each.stop()));
  await provider.stop();
}, TIMEOUT_MS);

function holdModel(): void {
  ({ promise: modelMayAnswer, resolve: letModelAnswer } = Promise.withResolvers<void>());
}

async function start(name: string, settings: NodeJS.ProcessEnv = {}): Promise<ProcessBeside> {
  const beside = await startBeside(stackHome(), name, { ...SETTINGS, ...settings });
  started.push(beside);
  return beside;
}

/** Counts the chats that callers asked of the model: the services ask it as well, when they judge and review. */
function chatsOfCallers(): number {
  const chats = provider.requests.filter(({ path }) => path === '/v1/chat/completions');
  return chats.filter(({ body }) => lastUserText(body as ChatRequest) === SAID_IN_CHATS).length;
}

/** Begins all calls, and resolves once those that use the model have reached it. */
async function beginAll(held: readonly HeldCall[], gateway: ProcessBeside): Promise<BegunCall[]> {
  holdModel();
  const asked = chatsOfCallers();
  const begun = await Promise.all(held.map((call) => begin(call, gateway.url, project.apiKey)));
  const toAsk = held.filter(({ isHeldByModel }) => isHeldByModel === true).length;
  await eventually(() => expect(chatsOfCallers() - asked).toBe(toAsk), WAIT);
  return begun;
}

async function expectWhole(begun: readonly BegunCall[]): Promise<void> {
  letModelAnswer();
  for (const { name, status, answer, finish } of begun) {
    const answered = await finish();
    expect({ name, status: answered.status, isWhole: answered.text.includes(answer) }).toEqual({
      ...{ name, status, isWhole: true },
    });
  }
}

async function isReady({ url }: Pick<ProcessBeside, 'url'>): Promise<boolean> {
  return await fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}

const expectGone = ({ url }: ProcessBeside) =>
  eventually(async () => expect(await fetch(url).catch(() => 'refused')).toBe('refused'), WAIT);

/** Opens an endless event stream; resolves once it has begun, with a promise of the text received until it ends. */
async function listenToActivity(gateway: ProcessBeside): Promise<{ ended: Promise<string> }> {
  const url = new URL(`/v1/projects/${project.id}/models/activity`, gateway.url);
  const headers = { authorization: `Bearer ${project.apiKey}`, accept: 'text/event-stream' };
  const [response] = (await once(get(url, { headers, agent: false }), 'response')) as [IncomingMessage];
  expect(response.headers['content-type']).toBe('text/event-stream');
  const { promise: ended, resolve, reject } = Promise.withResolvers<string>();
  let text = '';
  response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  response.once('end', () => resolve(text)).once('error', reject);
  return { ended };
}

describe('a process that is told to stop during a call of each class', () => {
  const services = new Map<CalledService, { service: ProcessBeside; relay: CountingRelay }>();
  let gateway: ProcessBeside;

  // Starts one gateway before services of its own: each test ends another of them.
  beforeAll(async () => {
    const starts = ENDED.map(async (name) => {
      const service = await start(name);
      services.set(name, { service, relay: await startCountingRelay(service.url) });
    });
    await Promise.all(starts);
    const addresses = [...services].map(([name, { relay }]) => [addressVariable(name), relay.url]);
    gateway = await start('gateway', Object.fromEntries(addresses) as NodeJS.ProcessEnv);
  }, TIMEOUT_MS);
  afterAll(() => Promise.all([...services.values()].map(({ relay }) => relay.close())));

  it.each(ENDED)(
    '%s answers what it has in hand whole, takes nothing new, and ends with 0',
    async (name) => {
      const { service, relay } = services.get(name)!;
      const own = (await heldCalls(project, name)).filter((call) => call.service === name);
      expect(own.length).toBeGreaterThan(0);
      const events = name === 'model-runtime-svc' ? await listenToActivity(gateway) : undefined;
      const begun = await beginAll(own, gateway);
      const listeners = events === undefined ? 0 : 1;
      await eventually(() => expect(relay.spokenOver).toBeGreaterThanOrEqual(own.length + listeners), WAIT);
      // Connections are accepted in order: an answer on a later one shows that the earlier ones are in hand.
      expect(await isReady(service)).toBe(true);
      const ended = service.end();
      // Endless event streams end without waiting for the other calls.
      await events?.ended;
      await eventually(async () => expect(await isReady(service)).toBe(false), WAIT);
      await expectGone(service);
      const refused = await fetch(new URL(own[0]!.path, gateway.url), {
        method: 'POST',
        headers: { authorization: `Bearer ${project.apiKey}`, 'content-type': 'application/json' },
        body: '{}',
      });
      expect([refused.status, refused.headers.has('retry-after')]).toEqual([503, true]);
      await expectWhole(begun);
      expect(await ended).toBe('exit code 0');
    },
    TIMEOUT_MS,
  );

  it(
    'the gateway as well, with a call of every class at once',
    async () => {
      const gateway = await start('gateway');
      const events = await listenToActivity(gateway);
      const begun = await beginAll(await heldCalls(project, 'all'), gateway);
      expect(await isReady(gateway)).toBe(true);
      const ended = gateway.end();
      await events.ended;
      await eventually(async () => expect(await isReady(gateway)).toBe(false), WAIT);
      await expectGone(gateway);
      // Metrics stay available to operators until the end.
      expect((await fetch(`${gateway.operationsUrl}/metrics`)).status).toBe(200);
      await expectWhole(begun);
      expect(await ended).toBe('exit code 0');
    },
    TIMEOUT_MS,
  );

  it(
    'breaks off what takes longer than there is time, and says so where nothing had been answered',
    async () => {
      const gateway = await start('gateway', { SHUTDOWN_GRACE_MS: '10000' });
      const calls = await heldCalls(project, 'late');
      const [chat] = await beginAll(
        calls.filter(({ name }) => name === 'a chat'),
        gateway,
      );
      const ended = gateway.end();
      const answered = await chat!.finish();
      expect([answered.status, answered.text]).toEqual([503, expect.stringContaining('is stopping')]);
      expect(await ended).toBe('exit code 0');
    },
    TIMEOUT_MS,
  );

  it(
    'jobs-worker sees the job through that it has in hand, and nobody begins it again',
    async () => {
      holdModel();
      const statement = wordsOf('a job in hand');
      const asked: string[] = [];
      const reader = await startProvider({
        models: ['wise'],
        reply: extractionModel(undefined, async (request) => {
          asked.push(allText(request));
          await modelMayAnswer;
          return {};
        }),
      });
      const taught = await createTestProject('a job in hand');
      await taught.call('/models/providers', { body: { name: 'loop', baseUrl: reader.url } });
      await taught.call('/knowledge/settings', { method: 'PATCH', body: { extractionEnabled: true } });
      await newGoal(taught);
      await importTaught(taught, { 'a-job': statement });
      const isAbout = (text: string) => text.includes(statement);
      await eventually(() => expect(asked.filter(isAbout)).toHaveLength(1), WAIT);
      const [worker] = processes().filter(({ name }) => name === 'jobs-worker');
      const restarted = restartApp(stackHome(), 'jobs-worker');
      await eventually(async () => expect(await isReady({ url: worker!.url })).toBe(false), WAIT);
      letModelAnswer();
      await restarted;
      await eventually(async () => expect(await itemsOf(taught)).toMatchObject([{ content: statement }]), WAIT);
      expect(asked.filter(isAbout)).toHaveLength(1);
      await reader.stop();
    },
    TIMEOUT_MS,
  );
});
