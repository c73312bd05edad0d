import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SERIES_DIMENSIONS, SEVERITIES, type SeriesDimension } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { explainSent, monitored, propertyRuns, useTestEnvironment } from '@clew/testing';
import { detectionOf, resultOf, STARTED_AT } from '../../test-support/results.ts';
import { startTestService, type TestService } from '../../test-support/service.ts';
import { occurrenceCollection } from '../finding.model.ts';
import { countExistingOccurrences, createSeriesStore, seriesCollection } from './index.ts';

const HOUR_MS = 3_600_000;
const FIRST_HOUR = STARTED_AT - (STARTED_AT % (24 * HOUR_MS));
const WINDOW = `startMs=${FIRST_HOUR}&endMs=${FIRST_HOUR + 96 * HOUR_MS}`;

const environment = useTestEnvironment();
let service: TestService;

beforeAll(async () => {
  service = await startTestService(environment, { mongoUrl: monitored(environment.mongoUrl) });
});

afterAll(() => service.stop());

interface Entry {
  startMs: number;
  value?: string;
  occurrences: number;
}

async function series(projectId: string, query: string): Promise<Entry[]> {
  const { status, body } = await service.call<{ series: Entry[] }>({ projectId, path: `/findings/series?${query}` });
  expect(status).toBe(200);
  return body.series;
}

/** Series as the stored occurrences tell it. */
async function counted(projectId: string, intervalMs: number, by?: SeriesDimension): Promise<Entry[]> {
  const counts = new Map<string, number>();
  for (const occurrence of await occurrenceCollection(service.database).find({ projectId }).toArray()) {
    const { conversationStartedAt: at, severityRank, ruleId, detection } = occurrence;
    const values = { severity: SEVERITIES[severityRank], ruleId, categoryKey: detection.categoryKey };
    const startMs = at - ((at - FIRST_HOUR) % intervalMs);
    const key = JSON.stringify([startMs, by === undefined ? '' : values[by]]);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts]
    .map(([key, occurrences]) => {
      const [startMs, value] = JSON.parse(key) as [number, string];
      return { startMs, ...(by === undefined ? {} : { value }), occurrences };
    })
    .toSorted((one, other) => one.startMs - other.startMs || ((one.value ?? '') < (other.value ?? '') ? -1 : 1));
}

async function expectSame(projectId: string): Promise<void> {
  for (const by of [undefined, ...SERIES_DIMENSIONS]) {
    for (const hours of [1, 6, 24]) {
      const told = await series(
        projectId,
        `${WINDOW}&intervalMs=${hours * HOUR_MS}${by === undefined ? '' : `&by=${by}`}`,
      );
      expect({ by, hours, told }).toEqual({ by, hours, told: await counted(projectId, hours * HOUR_MS, by) });
    }
  }
}

const act = fc.record({
  chat: fc.integer({ min: 0, max: 3 }),
  hour: fc.integer({ min: 0, max: 50 }),
  revision: fc.integer({ min: 1, max: 4 }),
  kind: fc.constantFrom('result', 'result', 'result', 'erase'),
  found: fc.dictionary(
    fc.constantFrom('rule_a', 'rule_b'),
    fc.array(fc.tuple(fc.constantFrom('loop', 'error'), fc.constantFrom('high', 'low')), { maxLength: 2 }),
  ),
});

describe('the series of Findings', () => {
  it('counts each occurrence that is stored once, whatever results, repeats and erasures came in between', async () => {
    const property = fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 8 }), async (acts) => {
      const projectId = newId('prj');
      for (const { chat, hour, revision, kind, found } of acts) {
        const conversationId = `chat ${chat}`;
        if (kind === 'erase') {
          const path = `//internal/v1/projects/${projectId}/conversations/${encodeURIComponent(conversationId)}/findings`;
          const principal = { kind: 'service', id: 'telemetry-warehouse' } as const;
          expect((await service.call({ method: 'DELETE', path, projectId, principal })).status).toBe(200);
          continue;
        }
        const snapshot = { revision, startedAt: FIRST_HOUR + hour * HOUR_MS + 1 };
        const detections = Object.entries(found).map(([ruleId, clusters]) => [
          ruleId,
          clusters.map(([cluster, severity]) =>
            detectionOf(`${ruleId} ${cluster}`, {
              ruleId,
              severity,
              categoryKey: ruleId === 'rule_a' ? 'tools' : 'answers',
            }),
          ),
        ]);
        const result = resultOf({ projectId, conversationId, snapshot, found: Object.fromEntries(detections) });
        await service.take(result, result);
      }
      await expectSame(projectId);
    });
    await fc.assert(property, propertyRuns(6));
  }, 120_000);

  it('counts what was stored before there were series once, also where the migration runs again', async () => {
    const projectId = newId('prj');
    for (let chat = 0; chat < 5; chat += 1) {
      const snapshot = { startedAt: FIRST_HOUR + chat * HOUR_MS };
      await service.take(
        resultOf({ projectId, conversationId: `chat ${chat}`, snapshot, found: { rule_a: ['loop'] } }),
      );
    }
    const { connection } = service.database;
    const occurrences = occurrenceCollection(service.database);
    await seriesCollection(connection).deleteMany({ projectId });
    await occurrences.updateMany({ projectId }, { $unset: { counted: true } });
    expect(await series(projectId, `${WINDOW}&intervalMs=${HOUR_MS}`)).toEqual([]);
    expect(await countExistingOccurrences(connection)).toBe(5);
    expect(await countExistingOccurrences(connection)).toBe(0);
    await expectSame(projectId);
  });

  it('takes nothing away for an occurrence that it never counted', async () => {
    const projectId = newId('prj');
    await service.take(resultOf({ projectId, found: { rule_a: ['loop'] } }));
    await seriesCollection(service.database.connection).deleteMany({ projectId });
    await occurrenceCollection(service.database).updateMany({ projectId }, { $unset: { counted: true } });
    await service.take(resultOf({ projectId, snapshot: { revision: 2 }, found: { rule_a: [] } }));
    await service.take(resultOf({ projectId, snapshot: { revision: 3 }, found: { rule_a: ['loop'] } }));
    await expectSame(projectId);
  });

  it('is read from an index of its rows alone, never from occurrences', async () => {
    const { read } = createSeriesStore(service.database);
    const window = { startMs: FIRST_HOUR, endMs: FIRST_HOUR + 96 * HOUR_MS, intervalMs: HOUR_MS };
    const queries = await explainSent(service.database, () => read(newId('prj'), { ...window, by: 'severity' }));
    expect(queries.map(({ plan }) => plan)).toEqual([expect.stringMatching(/^find finding_series: .*IXSCAN/)]);
  });

  it.each([
    [
      'half an hour',
      `startMs=${FIRST_HOUR + 1_800_000}&endMs=${FIRST_HOUR + HOUR_MS}&intervalMs=${HOUR_MS}`,
      'startMs',
    ],
    ['an interval of nothing', `${WINDOW}&intervalMs=0`, 'intervalMs'],
    ['an end before its start', `startMs=${HOUR_MS}&endMs=0&intervalMs=${HOUR_MS}`, 'startMs'],
    ['1,001 intervals', `startMs=0&endMs=${1_001 * HOUR_MS}&intervalMs=${HOUR_MS}`, 'intervalMs'],
    ['2,401 hours', `startMs=0&endMs=${2_401 * HOUR_MS}&intervalMs=${7 * HOUR_MS}`, 'endMs'],
    ['another field', `${WINDOW}&intervalMs=${HOUR_MS}&by=title`, 'by'],
  ])('of %s is 400', async (_name, query, path) => {
    const answer = await service.call({ path: `/findings/series?${query}` });
    expect(answer).toMatchObject({
      status: 400,
      body: {
        code: 'INVALID_FILTER',
        details: expect.arrayContaining([{ path: `query.${path}`, message: expect.any(String) }]),
      },
    });
  });
});
