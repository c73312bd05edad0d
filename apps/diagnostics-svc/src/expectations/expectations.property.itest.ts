import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CheckedExpectation, ConversationSnapshot, Expectation, Finding } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { evaluateExpectation } from '@clew/rules';
import { propertyRuns, useTestEnvironment } from '@clew/testing';
import fc from 'fast-check';
import { occurrenceCollection } from '../findings/finding.model.ts';
import { conversationCollection } from '../results/conversation.model.ts';
import { checkedResult, snapshotOfParts } from '../test-support/expectations.ts';
import { startTestService, type TestService } from '../test-support/service.ts';
import { createExpectationStore } from './expectations.store.ts';

const environment = useTestEnvironment();
let service: TestService;

beforeAll(async () => {
  service = await startTestService(environment);
});

afterAll(() => service.stop());

const TOOLS = ['pay', 'refund'] as const;
const CONVERSATIONS = ['one', 'two', 'three'] as const;

type Operation =
  | { do: 'create'; tool: string }
  | { do: 'patch'; which: number; change: { tool?: string; status?: 'active' | 'off'; severity?: 'low' | 'high' } }
  | { do: 'delete'; which: number }
  | { do: 'check'; conversationId: string; calls: readonly string[] }
  | { do: 'result'; which: number }
  | { do: 'review'; pages: number };

const which = fc.nat({ max: 1 });
const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('create' as const), tool: fc.constantFrom(...TOOLS) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      ...{ do: fc.constant('patch' as const), which },
      change: fc.record(
        {
          tool: fc.constantFrom(...TOOLS),
          status: fc.constantFrom('active', 'off'),
          severity: fc.constantFrom('low', 'high'),
        },
        { requiredKeys: [] },
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), which }) },
  {
    weight: 5,
    arbitrary: fc.record({
      ...{ do: fc.constant('check' as const), conversationId: fc.constantFrom(...CONVERSATIONS) },
      calls: fc.constantFrom([], ['pay'], ['pay', 'refund']),
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('result' as const), which }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('review' as const), pages: fc.constantFrom(1, 50) }) },
);

/** Snapshot and set of checks that a worker received; it answers later, or never. */
interface Asked {
  snapshot: ConversationSnapshot;
  set: { revision: number; active: readonly CheckedExpectation[] };
}

/** Project with a worker that answers in any order. */
class Run {
  readonly projectId = newId('prj');
  readonly created: string[] = [];
  readonly asked: Asked[] = [];
  /** Latest snapshot with a result, by conversation. */
  readonly known = new Map<string, Asked>();
  revision = 0;

  async call<Body>(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) {
    service.clock.advance(10);
    return await service.call<Body>({ method, projectId: this.projectId, path, body });
  }

  async do(operation: Operation): Promise<void> {
    if (operation.do === 'create') {
      const body = { statement: 'x', check: { form: 'never_call', tools: [operation.tool] } };
      this.created.push((await this.call<Expectation>('POST', '/expectations', body)).body.id);
    } else if (operation.do === 'patch') {
      const { tool, ...change } = operation.change;
      const check = tool === undefined ? {} : { check: { form: 'never_call', tools: [tool] } };
      const id = this.created[operation.which];
      const body = { ...change, ...check };
      if (id !== undefined && Object.keys(body).length > 0) await this.call('PATCH', `/expectations/${id}`, body);
    } else if (operation.do === 'delete') {
      const id = this.created[operation.which];
      if (id !== undefined) await this.call('DELETE', `/expectations/${id}`);
    } else if (operation.do === 'check') {
      await this.ask(operation.conversationId, operation.calls);
    } else if (operation.do === 'result') {
      await this.answer(operation.which);
    } else await this.review(operation.pages);
  }

  async ask(conversationId: string, calls: readonly string[]): Promise<void> {
    const { database, warehouse } = service;
    this.revision += 1;
    const snapshot = snapshotOfParts({ projectId: this.projectId, conversationId, revision: this.revision, calls });
    warehouse.snapshots.set(snapshot.snapshotId, snapshot);
    const store = createExpectationStore(database);
    const set = await database.withTransaction((tx) => store.checked(tx, this.projectId));
    this.asked.push({ snapshot, set });
  }

  async answer(index: number): Promise<void> {
    const [answered] = this.asked.splice(index, 1);
    if (answered === undefined) return;
    service.clock.advance(10);
    await service.take(checkedResult([answered.snapshot], answered.set));
    const { conversationId, revision } = answered.snapshot;
    const known = this.known.get(conversationId);
    if (known === undefined || known.snapshot.revision < revision) this.known.set(conversationId, answered);
  }

  /** Runs up to that many pages of due reviews. */
  async review(pages: number): Promise<void> {
    for (let page = 0; page < pages; page += 1) {
      service.clock.advance(10);
      if ((await service.review()) === 0) return;
    }
  }

  async expectations(): Promise<Expectation[]> {
    return (await this.call<{ expectations: Expectation[] }>('GET', '/expectations')).body.expectations;
  }

  async shown(): Promise<string[]> {
    const { database } = service;
    const all = await occurrenceCollection(database).find({ projectId: this.projectId }).toArray();
    return all.map(({ conversationId, findingId, detection }) => {
      return JSON.stringify([conversationId, findingId, detection.severity]);
    });
  }
}

const asc = (texts: readonly string[]) => texts.toSorted();

describe('whatever people do to Expectations while results come, late and in any order', () => {
  it('once all is looked at, only what is active is shown, where it is broken, and the Findings count it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 10, maxLength: 40 }), async (operations) => {
        const run = new Run();
        for (const each of operations) await run.do(each);
        while ((await service.review()) > 0) service.clock.advance(10);
        await expectTrue(run);
        // Afterwards every conversation is checked for the current Expectations.
        for (const [conversationId, { snapshot }] of run.known) {
          const calls = snapshot.messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ name }) => name));
          await run.ask(conversationId, calls);
          await run.answer(run.asked.length - 1);
        }
        await expectComplete(run);
      }),
      propertyRuns(20),
    );
  }, 240_000);
});

/** Expects that every occurrence holds, and that the counts of Findings and conversations match the occurrences. */
async function expectTrue(run: Run): Promise<void> {
  const { database } = service;
  const shown = await run.shown();
  const holding = new Set(await holdingOf(run));
  for (const each of shown) expect(holding).toContain(each);
  const { findings } = (await run.call<{ findings: Finding[] }>('GET', '/findings')).body;
  const counted = findings.map(({ id, occurrenceCount }) => [id, occurrenceCount]);
  const byFinding = Map.groupBy(shown, (each) => (JSON.parse(each) as string[])[1]!);
  expect(new Map(counted as [string, number][])).toEqual(new Map([...byFinding].map(([id, all]) => [id, all.length])));
  const conversations = await conversationCollection(database).find({ projectId: run.projectId }).toArray();
  const byConversation = Map.groupBy(shown, (each) => (JSON.parse(each) as string[])[0]!);
  for (const { conversationId, findingCount } of conversations) {
    expect(findingCount).toBe(byConversation.get(conversationId)?.length ?? 0);
  }
}

async function expectComplete(run: Run): Promise<void> {
  expect(asc(await run.shown())).toEqual(asc(await holdingOf(run)));
}

/** Active Expectations, each with the conversations whose latest known snapshot breaks it. */
async function holdingOf(run: Run): Promise<string[]> {
  const store = createExpectationStore(service.database);
  const active = (await run.expectations()).filter(({ status }) => status === 'active');
  const found = await Promise.all(active.map(({ id }) => store.get(run.projectId, id)));
  return found.flatMap((expectation) =>
    [...run.known.values()]
      .filter(({ snapshot }) => evaluateExpectation(expectation!, snapshot).length > 0)
      .map(({ snapshot }) => JSON.stringify([snapshot.conversationId, expectation!.findingId, expectation!.severity])),
  );
}
