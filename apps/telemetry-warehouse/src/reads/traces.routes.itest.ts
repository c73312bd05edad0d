import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { z } from 'zod';
import type { Trace as TraceSchema } from '@clew/contracts';
import { nativeDb } from '@clew/persistence';
import { explainUsesIndex, useTestEnvironment } from '@clew/testing';
import { fragmentCollection } from '../fragments/index.ts';
import { emptyDatabase, useTestDatabase } from '../test-support/database.ts';
import { startTestService, type TestService } from '../test-support/service.ts';
import {
  chatSpan,
  OTHER_PROJECT_ID,
  plainSpan,
  PROJECT_ID,
  spanId,
  spansMessage,
  traceId,
} from '../test-support/spans.ts';

type Trace = z.infer<typeof TraceSchema>;

const environment = useTestEnvironment();
const database = useTestDatabase(environment);
let service: TestService;

beforeAll(async () => {
  service = await startTestService(environment, database.current);
});

afterAll(() => service.stop());

const read = (query = '', trace = traceId(1), projectId = PROJECT_ID) =>
  service.call<Trace>({ path: `/traces/${trace}${query}`, projectId });

/** Reads all pages of a trace. */
async function walk(limit: number): Promise<Trace[]> {
  const pages: Trace[] = [];
  let cursor: string | null = null;
  do {
    const query: string = cursor === null ? '' : `&cursor=${cursor}`;
    const { body } = await read(`?limit=${limit}${query}`);
    pages.push(body);
    cursor = body.nextCursor;
  } while (cursor !== null);
  return pages;
}

const spansOf = (count: number) =>
  Array.from({ length: count }, (_, index) => plainSpan({ trace: 1, span: index + 1 }));

describe('a trace', () => {
  it('is read as it was sent', async () => {
    const span = {
      ...chatSpan({ trace: 1, span: 2, parent: 1, said: 'hello', attributes: { deep: { list: [1, null, 'x'] } } }),
      statusCode: 2,
      statusMessage: 'failed',
      events: [{ name: 'exception', timeUnixNano: '18446744073709551615', attributes: { 'a.b': true } }],
    };
    await service.store(spansMessage({ spans: [span] }));
    const { traceId: _, ...sent } = span;
    const { status, body } = await read();
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        ...{ traceId: traceId(1), projectId: PROJECT_ID, spanCount: 1, nextCursor: null },
        spans: [{ ...sent, scopeName: 'test' }],
      },
    });
  });

  it('is walked in pages, each span once, by span id', async () => {
    await service.store(
      spansMessage({ spans: spansOf(25) }),
      spansMessage({ spans: [plainSpan({ trace: 2, span: 1 })] }),
    );
    for (const limit of [1, 7, 25, 1_000]) {
      const pages = await walk(limit);
      expect(pages.map(({ spans }) => spans.length)).toEqual([
        ...Array.from({ length: Math.floor(25 / limit) }, () => limit),
        ...(25 % limit === 0 ? [] : [25 % limit]),
      ]);
      expect(pages.flatMap(({ spans }) => spans.map((span) => span.spanId))).toEqual(
        spansOf(25).map((span) => span.spanId),
      );
      expect(new Set(pages.map(({ spanCount }) => spanCount))).toEqual(new Set([25]));
    }
  });

  it('has shorter pages where its spans are large, and loses none', async () => {
    const large = [1, 2, 3].map((span) => plainSpan({ trace: 1, span, attributes: { blob: 'x'.repeat(5_000_000) } }));
    for (const span of large) await service.store(spansMessage({ spans: [span] }));
    const pages = await walk(1_000);
    expect(pages.map(({ spans }) => spans.map((span) => span.spanId))).toEqual([[spanId(1)], [spanId(2)], [spanId(3)]]);
  });

  it('shows its spans without content once that has expired', async () => {
    await service.store(spansMessage({ spans: [chatSpan({ trace: 1, span: 1, said: 'hello' })] }));
    await nativeDb(database.current.connection).collection('fragment_contents').deleteMany({});
    await service.store(spansMessage({ spans: [plainSpan({ trace: 1, span: 2, attributes: { kept: 1 } })] }));
    const { body } = await read();
    expect(body.spans.map(({ name, attributes }) => ({ name, attributes }))).toEqual([
      { name: 'work', attributes: {} },
      { name: 'work', attributes: { kept: 1 } },
    ]);
  });

  it.each([
    ['unknown', traceId(9), PROJECT_ID],
    ['of another project', traceId(1), OTHER_PROJECT_ID],
    ['whose id cannot exist', 'not-a-trace', PROJECT_ID],
    ['with an id in capitals', 'ABCDEF'.padStart(32, '0'), PROJECT_ID],
  ])('that is %s is 404', async (_what, trace, projectId) => {
    await service.store(spansMessage({ spans: spansOf(1) }));
    expect((await read('', trace, projectId)).status).toBe(404);
  });

  it.each(['?limit=0', '?limit=1001', '?limit=x', '?unknown=1'])('refuses %p', async (query) => {
    await service.store(spansMessage({ spans: spansOf(1) }));
    expect((await read(query)).status).toBe(400);
  });

  it('refuses a cursor of another trace', async () => {
    await service.store(
      spansMessage({ spans: spansOf(2) }),
      spansMessage({ spans: [plainSpan({ trace: 2, span: 1 })] }),
    );
    const { nextCursor } = (await read('?limit=1')).body;
    expect(await read(`?cursor=${nextCursor}`, traceId(2))).toMatchObject({
      status: 400,
      body: { code: 'INVALID_CURSOR' },
    });
  });

  it('is read by an index', async () => {
    await service.store(spansMessage({ spans: spansOf(5) }));
    const ofTrace = { projectId: PROJECT_ID, traceId: traceId(1) };
    expect(await explainUsesIndex(fragmentCollection(database.current).find(ofTrace))).toEqual(['FETCH', 'IXSCAN']);
  });

  it('shows the better of two versions of a span, in whatever order they come', async () => {
    const early = plainSpan({ trace: 1, span: 1, attributes: { version: 'early' } });
    const late = {
      ...early,
      endTimeUnixNano: `${BigInt(early.endTimeUnixNano) + 1n}`,
      attributes: { version: 'late' },
    };
    for (const order of [
      [early, late],
      [late, early],
    ]) {
      await emptyDatabase(database.current);
      for (const span of order) await service.store(spansMessage({ spans: [span] }));
      const { spans, spanCount } = (await read()).body;
      expect([spanCount, spans.map(({ attributes }) => attributes)]).toEqual([1, [{ version: 'late' }]]);
    }
  });
});
