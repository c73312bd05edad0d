import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SEVERITIES } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { propertyRuns, useTestEnvironment } from '@clew/testing';
import { conversationModel } from '../results/conversation.model.ts';
import { findingModel, occurrenceModel } from '../findings/finding.model.ts';
import { findingIdOf } from '../findings/occurrence.ts';
import { detectionOf, resultOf } from '../test-support/results.ts';
import { startTestService, type TestService } from '../test-support/service.ts';

const CLUSTERS = ['loop', 'error', 'leak'];
const CONVERSATIONS = ['chat-1', 'chat-2', 'chat-3'];
const environment = useTestEnvironment();
let service: TestService;

beforeAll(async () => {
  service = await startTestService(environment);
});

afterAll(() => service.stop());

const place = fc.nat({ max: 5 });
const operation = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('detect' as const),
      conversationId: fc.constantFrom(...CONVERSATIONS),
      revision: fc.integer({ min: 1, max: 5 }),
      clusters: fc.subarray(CLUSTERS),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('merge' as const), one: place, other: place }) },
  fc.record({ do: fc.constant('unmerge' as const), one: place }),
  fc.record({ do: fc.constant('split' as const), one: place, signal: fc.constantFrom('even', 'odd') }),
);
type Operation = typeof operation extends fc.Arbitrary<infer Step> ? Step : never;

async function perform(projectId: string, step: Operation, ids: readonly string[]): Promise<void> {
  if (step.do === 'detect') {
    const { conversationId, revision, clusters } = step;
    const detections = clusters.map((cluster, index) =>
      detectionOf(cluster, {
        severity: SEVERITIES[(revision + index) % SEVERITIES.length] ?? 'info',
        diagnosticScore: ((revision * 3 + index) % 5) / 5,
        signals: [(revision + index) % 2 === 0 ? 'even' : 'odd'],
      }),
    );
    return service.take(resultOf({ projectId, conversationId, snapshot: { revision }, found: { rule_a: detections } }));
  }
  const id = ids[step.one % ids.length] ?? findingIdOf(projectId, 'nothing');
  const into = step.do === 'merge' ? { into: ids[step.other % ids.length] ?? id } : undefined;
  const body = step.do === 'split' ? { signal: step.signal } : into;
  const path = `/findings/${id}/${step.do}`;
  const { status } = await service.call({ projectId, method: 'POST', path, ...(body === undefined ? {} : { body }) });
  expect([200, 201, 404, 409]).toContain(status);
}

/** Compares every stored count, severity and score with the stored occurrences. */
async function expectTrue(projectId: string): Promise<void> {
  const { connection } = service.database;
  const findings = await findingModel(connection).find({ projectId }).lean();
  const occurrences = await occurrenceModel(connection).find({ projectId }).lean();
  for (const {
    _id,
    memberIds = [],
    mergedInto,
    occurrenceCount,
    severity,
    diagnosticScore,
    listed,
    primary,
  } of findings) {
    const own = occurrences.filter(({ findingId }) => findingId === _id || memberIds.includes(findingId));
    const conversations = new Set(own.map(({ conversationId }) => conversationId));
    expect({ occurrenceCount, listed }).toEqual({
      occurrenceCount: conversations.size,
      listed: own.length > 0 && mergedInto === undefined,
    });
    if (own.length === 0) continue;
    expect(severity).toBe(SEVERITIES[Math.min(...own.map(({ severityRank }) => severityRank))]);
    expect(diagnosticScore).toBe(Math.max(...own.map((each) => each.diagnosticScore)));
    expect(own.map((each) => each._id)).toContain(primary?.id);
  }
  const rootOf = new Map(findings.map(({ _id, rootId }) => [_id, rootId ?? _id]));
  for (const { conversationId, findingCount } of await conversationModel(connection).find({ projectId }).lean()) {
    const own = occurrences.filter((each) => each.conversationId === conversationId);
    expect(findingCount).toBe(new Set(own.map(({ findingId }) => rootOf.get(findingId))).size);
  }
}

describe('what is stored', () => {
  it('is true to the occurrences after detections, merges, unmerges and splits, several at a time', async () => {
    const property = fc.asyncProperty(
      fc.array(operation, { minLength: 6, maxLength: 24, size: 'max' }),
      async (steps) => {
        const projectId = newId('prj');
        for (let index = 0; index < steps.length; index += 3) {
          const found = await findingModel(service.database.connection).find({ projectId }, { _id: 1 }).lean();
          const ids = found.map(({ _id }) => _id);
          service.clock.advance(1_000);
          await Promise.all(steps.slice(index, index + 3).map((step) => perform(projectId, step, ids)));
        }
        while ((await service.doTasks()) > 0);
        await expectTrue(projectId);
      },
    );
    await fc.assert(property, { ...propertyRuns(6), endOnFailure: true });
  }, 120_000);
});
