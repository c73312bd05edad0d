import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { analysisCompleted, analysisRequested, type ConversationSnapshot, type Expectation } from '@clew/contracts';
import { newId, sha256Hex } from '@clew/kernel';
import { expectationBroken, promptsOf } from '@clew/rules';
import { eventually, monitored, sentCommands, threadTimeOf, useCleanup, useTestEnvironment } from '@clew/testing';
import { emittedMessages } from '@clew/testing-host';
import { resultOf } from '../test-support/results.ts';
import { snapshotOfParts, type ConversationParts } from '../test-support/expectations.ts';
import { openTestDatabase, startTestService, type TestService } from '../test-support/service.ts';
import { expectationSetCollection } from './expectation.model.ts';
import { createNoticePrompts, MAX_NEW_PROMPTS_A_DAY, type NoticedPrompt } from './notice-prompts.ts';
import { promptCollection } from './prompt.model.ts';

const environment = useTestEnvironment();
const cleanup = useCleanup();
let service: TestService;

beforeAll(async () => {
  service = await startTestService(environment);
  service.start();
});

afterAll(() => service.stop());

const NEVER_REFUND = 'You help customers. Never issue a refund. Be kind.';
const SAME_FOR_ANOTHER_DAY = 'You help customers. Today is 2026-11-22. Never issue a refund. Be kind.';
/** Long time-out, because threads are slow on a busy machine. */
const SLOWLY = { timeoutMs: 100_000, intervalMs: 100 };
const TOOLS = ['issue_refund', 'get_order'];

/** Stores a conversation in the warehouse, and publishes its prompts as a worker does. */
async function show(parts: ConversationParts): Promise<ConversationSnapshot> {
  const snapshot = snapshotOfParts({ offers: TOOLS, ...parts });
  service.warehouse.snapshots.set(snapshot.snapshotId, snapshot);
  const { projectId, conversationId, snapshotId, revision } = snapshot;
  const result = resultOf({ projectId, conversationId, snapshot: { snapshotId, revision }, found: { rule_a: [] } });
  const prompts = promptsOf(snapshot).map(({ promptHash, tools }) => ({ promptHash, tools: [...tools], snapshotId }));
  const message = { ...result, id: `${result.type}:${sha256Hex(snapshotId)}`, data: { ...result.data, prompts } };
  await service.publisher.publish(analysisCompleted, message);
  return snapshot;
}

async function expectations(projectId: string): Promise<Expectation[]> {
  const { body } = await service.call<{ expectations: Expectation[] }>({ projectId, path: '/expectations' });
  return body.expectations;
}

async function compiled(projectId: string, count = 1): Promise<Expectation[]> {
  return await eventually(async () => {
    const found = await expectations(projectId);
    expect(found).toHaveLength(count);
    return found;
  });
}

/** Waits until every prompt of the project was compiled. */
async function settled(projectId: string, prompts: number): Promise<void> {
  await eventually(async () => {
    const found = await promptCollection(service.database).find({ projectId }).toArray();
    expect(found).toHaveLength(prompts);
    expect(found.every(({ dueAt }) => dueAt == null)).toBe(true);
  });
}

async function patch(projectId: string, id: string, body: object): Promise<void> {
  const { status } = await service.call({ method: 'PATCH', projectId, path: `/expectations/${id}`, body });
  expect(status).toBe(200);
}

const commands = (projectId: string) => emittedMessages(service.database, analysisRequested, projectId);

describe('the prompts of conversations', () => {
  it('become active Expectations that quote their sentence, once, and their conversation is checked for them', async () => {
    const projectId = newId('prj');
    const { conversationId, snapshotId } = await show({ projectId, prompt: NEVER_REFUND });
    const [expectation] = await compiled(projectId);
    expect(expectation).toMatchObject({
      ...{ source: 'compiled', status: 'active', quote: 'Never issue a refund.' },
      promptHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      check: { form: 'never_call', tools: ['issue_refund'] },
    });
    const [command] = await eventually(async () => {
      const found = await commands(projectId);
      expect(found).toHaveLength(1);
      return found;
    });
    const rule = command!.data.rules.find(({ ruleId }) => ruleId === expectationBroken.ruleId);
    expect(rule).toMatchObject({ revision: '10001', expectations: [{ id: expectation!.id }] });
    expect(command!.data.snapshots).toEqual([{ conversationId, snapshotId }]);
    await show({ projectId, prompt: NEVER_REFUND, conversationId: 'again' });
    await show({ projectId, prompt: 'Now you sell. Never issue a refund.', conversationId: 'another' });
    await settled(projectId, 2);
    expect(await expectations(projectId)).toEqual([expectation]);
  });

  it('that differ in what a template fills in are one', async () => {
    const projectId = newId('prj');
    await show({ projectId, prompt: SAME_FOR_ANOTHER_DAY });
    await settled(projectId, 1);
    await show({ projectId, prompt: SAME_FOR_ANOTHER_DAY.replace('11-22', '11-23'), conversationId: 'next day' });
    await show({ projectId, prompt: 'Never issue a refund twice as large.', conversationId: 'last' });
    await settled(projectId, 2);
  });

  it('are compiled again when a tool shows that was not known with them', async () => {
    const projectId = newId('prj');
    await show({ projectId, prompt: NEVER_REFUND, offers: [] });
    await settled(projectId, 1);
    expect(await expectations(projectId)).toEqual([]);
    await show({ projectId, prompt: NEVER_REFUND, offers: [], calls: ['issue_refund'], conversationId: 'second' });
    await compiled(projectId);
  });

  it('make what is proposed where a person is to switch it on', async () => {
    const projectId = newId('prj');
    await service.call({ method: 'PATCH', projectId, path: '/settings', body: { expectationActivation: 'manual' } });
    await show({ projectId, prompt: NEVER_REFUND });
    expect(await compiled(projectId)).toMatchObject([{ status: 'proposed' }]);
    await settled(projectId, 1);
    expect(await commands(projectId)).toEqual([]);
  });

  it.each(['off', 'deleted'])(
    'leave %s what a person does not want, also when another prompt states it',
    async (how) => {
      const projectId = newId('prj');
      await show({ projectId, prompt: NEVER_REFUND });
      const [{ id }] = (await compiled(projectId)) as [Expectation];
      if (how === 'off') await patch(projectId, id, { status: 'off' });
      else await service.call({ method: 'DELETE', projectId, path: `/expectations/${id}` });
      await show({ projectId, prompt: 'Now you sell. Never issue a refund.', conversationId: 'later' });
      await settled(projectId, 2);
      expect((await expectations(projectId)).map(({ status }) => status)).toEqual(how === 'off' ? ['off'] : []);
    },
  );

  it('leave what a person wrote as it is, and do not state it twice', async () => {
    const projectId = newId('prj');
    const body = { statement: 'Ours', check: { form: 'never_call', tools: ['issue_refund'] }, severity: 'low' };
    const authored = await service.call<Expectation>({ method: 'POST', projectId, path: '/expectations', body });
    await show({ projectId, prompt: NEVER_REFUND });
    await settled(projectId, 1);
    expect(await expectations(projectId)).toEqual([authored.body]);
  });

  it('of marks alone do not hold what another project reads', async () => {
    const projectId = newId('prj');
    const marks = ['!', '?!', '...'].map((mark) => `${mark.repeat(48_000 / mark.length)}and be kind.`);
    for (const [index, prompt] of marks.entries()) {
      await show({ projectId, conversationId: `a chat ${index}`, prompt: `${index} ${prompt}` });
    }
    const others = newId('prj');
    let longestMs = 0;
    await eventually(async () => {
      // Processor time of this thread: all its work while the list waited.
      longestMs = Math.max(longestMs, await threadTimeOf(() => service.call({ projectId: others, path: '/findings' })));
      const found = await promptCollection(service.database).find({ projectId }).toArray();
      expect(found).toHaveLength(marks.length);
      expect(found.every(({ dueAt }) => dueAt == null)).toBe(true);
    }, SLOWLY);
    expect(longestMs).toBeLessThan(1_000);
  }, 120_000);

  it('whose snapshot is gone are forgotten until a conversation shows them again', async () => {
    const projectId = newId('prj');
    const { snapshotId } = snapshotOfParts({ projectId, prompt: NEVER_REFUND, offers: TOOLS });
    const parts = { projectId, prompt: NEVER_REFUND };
    const showing = show(parts);
    service.warehouse.snapshots.delete(snapshotId);
    await showing;
    await eventually(async () =>
      expect(await promptCollection(service.database).countDocuments({ projectId })).toBe(0),
    );
    await show({ ...parts, conversationId: 'again' });
    await compiled(projectId);
  });

  it('are looked up together, and one that is shown twice gets all its tools', async () => {
    const database = await openTestDatabase(environment, monitored(environment.mongoUrl));
    cleanup(() => database.close());
    const { clock } = service;
    const projectId = newId('prj');
    const noticed = (index: number, tools: string[] = []): NoticedPrompt => ({
      ...{ projectId, promptHash: sha256Hex(`prompt ${index}`), tools, snapshotId: 'cesr_gone' },
    });
    const first = [noticed(1, ['get_order']), noticed(2), noticed(1, ['issue_refund']), noticed(3)];
    await createNoticePrompts({ database, clock }).notice(first);
    const stored = await promptCollection(database).find({ projectId }).toArray();
    expect(new Map(stored.map(({ promptHash, tools }) => [promptHash, tools]))).toEqual(
      new Map([
        [noticed(1).promptHash, ['get_order', 'issue_refund']],
        [noticed(2).promptHash, []],
        [noticed(3).promptHash, []],
      ]),
    );
    const restarted = createNoticePrompts({ database, clock });
    const sent = await sentCommands(database, () => restarted.notice([1, 2, 3].map((index) => noticed(index))));
    const ofPrompts = sent.filter(({ collection }) => collection === 'prompts').map(({ name }) => name);
    expect(ofPrompts).toEqual(['find']);
  });

  it(`of which more than ${MAX_NEW_PROMPTS_A_DAY} are new on a day wait for another day`, async () => {
    const { database, clock } = service;
    const projectId = newId('prj');
    const noticed = (index: number): NoticedPrompt => ({
      ...{ projectId, promptHash: sha256Hex(`prompt ${index}`), tools: [], snapshotId: 'cesr_gone' },
    });
    const count = () => expectationSetCollection(database).findOne({ _id: projectId });
    const processes = [createNoticePrompts({ database, clock }), createNoticePrompts({ database, clock })];
    const all = Array.from({ length: MAX_NEW_PROMPTS_A_DAY + 5 }, (_, index) => noticed(index));
    await Promise.all(processes.map(({ notice }, first) => notice(all.filter((_, index) => index % 2 === first))));
    const stored = new Set<string>();
    for (const { promptHash } of await promptCollection(database).find({ projectId }).toArray()) stored.add(promptHash);
    expect((await count())?.promptCount).toBe(MAX_NEW_PROMPTS_A_DAY + 1);
    expect(stored.size).toBeLessThanOrEqual(MAX_NEW_PROMPTS_A_DAY);
    clock.advance(24 * 3_600_000);
    // A prompt that neither process has seen; which of the others were stored depends on their order.
    await processes[0]!.notice([noticed(all.length)]);
    expect((await count())?.promptCount).toBe(1);
  });
});
