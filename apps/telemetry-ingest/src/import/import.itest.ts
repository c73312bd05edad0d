import { PassThrough } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ImportReport } from '@clew/contracts';
import { createTcpFault, eventually, useTestEnvironment } from '@clew/testing';
import { keyWith } from '@clew/testing/identities';
import { NOW_MS, PROJECT_ID } from '../test-support/decoding.ts';
import {
  GZIP,
  IMPORT_PATH,
  startTestIngest,
  type Answer,
  type Call,
  type TestIngest,
} from '../test-support/service.ts';

const MAX_LINE_BYTES = 100_000;
const environment = useTestEnvironment();
let ingest: TestIngest;

beforeAll(async () => {
  ingest = await startTestIngest(environment, { variables: { MAX_IMPORT_LINE_BYTES: MAX_LINE_BYTES } });
});

afterEach(async () => {
  await eventually(() => expect(ingest.budget.usedBytes).toBe(0));
  await ingest.takeRecords();
});

afterAll(() => ingest.stop());

function line(id: string, text = 'hello', more: object = {}): string {
  return JSON.stringify({ id, messages: [{ role: 'user', content: text }], ...more });
}

function importFile(body: NonNullable<Call['body']>, headers: Call['headers'] = {}, by = ingest): Promise<Answer> {
  return by.send({ path: IMPORT_PATH, headers: { 'content-type': 'application/x-ndjson', ...headers }, body });
}

async function reportOf(body: NonNullable<Call['body']>, headers: Call['headers'] = {}): Promise<ImportReport> {
  const answer = await importFile(body, headers);
  expect(answer).toMatchObject({ status: 200 });
  return answer.body as ImportReport;
}

async function conversationsOnQueue(): Promise<unknown[]> {
  const { spans } = await ingest.takeRecords();
  return spans.map(({ record }) => record.attributes['gen_ai.conversation.id']);
}

describe('a file of conversations', () => {
  it('becomes one GenAI span a line', async () => {
    const messages = [
      { role: 'developer', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'text', text: 'Where is it?' }], name: 'ann' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', function: { name: 'find', arguments: '{"a":1}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'in the box' },
      { role: 'assistant', content: 'In the box.' },
    ];
    const metadata = { agent: 'finder', model: 'gpt-5', userId: 'u1', startedAt: 1_700_000_000_000, other: 1 };
    const report = await reportOf(JSON.stringify({ id: 'c-1', messages, metadata }));
    expect(report).toEqual({ imported: 1, refusedCount: 0, refused: [] });
    const { spans } = await ingest.takeRecords();
    expect(spans).toMatchObject([
      {
        scopeName: 'clew.import',
        record: {
          name: 'chat',
          startTimeUnixNano: '1700000000000000000',
          attributes: {
            'gen_ai.conversation.id': 'c-1',
            'gen_ai.agent.name': 'finder',
            'gen_ai.request.model': 'gpt-5',
            'user.id': 'u1',
            'gen_ai.input.messages': [
              { role: 'system', parts: [{ type: 'text', content: 'Be brief.' }] },
              { role: 'user', name: 'ann', parts: [{ type: 'text', content: 'Where is it?' }] },
              { role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'find', arguments: '{"a":1}' }] },
              { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: 'in the box' }] },
              { role: 'assistant', parts: [{ type: 'text', content: 'In the box.' }] },
            ],
          },
        },
      },
    ]);
  });

  it('that is imported again changes nothing: its spans have the same ids', async () => {
    const file = [line('a'), JSON.stringify({ messages: [{ role: 'user', content: 'nameless' }] })].join('\n');
    const idsOf = async () => {
      await reportOf(file);
      return (await ingest.takeRecords()).spans.map(({ record }) => `${record.traceId} ${record.spanId}`);
    };
    const first = await idsOf();
    expect(new Set(first).size).toBe(2);
    expect(await idsOf()).toEqual(first);
  });

  it('may have blank lines, CRLF, a byte order mark, gzip, and no newline at its end', async () => {
    const file = `\uFEFF${line('a')}\r\n\r\n  \n${line('b')}\n${line('c', 'äöü 😀')}`;
    expect(await reportOf(file)).toEqual({ imported: 3, refusedCount: 0, refused: [] });
    expect(await conversationsOnQueue()).toEqual(['a', 'b', 'c']);
    expect(await reportOf(gzipSync(file), GZIP)).toMatchObject({ imported: 3 });
    expect(await reportOf('')).toEqual({ imported: 0, refusedCount: 0, refused: [] });
  });

  it('without a start has the time of the import', async () => {
    await reportOf(line('now'));
    expect((await ingest.takeRecords()).spans[0]?.record.startTimeUnixNano).toBe(`${NOW_MS}000000`);
  });

  it('of many messages to the queue arrives whole, in order and in pieces of any size', async () => {
    const file = Buffer.from(
      Array.from({ length: 400 }, (_, index) => line(`c${index}`, 'word '.repeat(1_000))).join('\n'),
    );
    const body = new PassThrough();
    const report = reportOf(body);
    for (let start = 0, size = 1; start < file.length; start += size, size = (size * 7) % 30_011) {
      body.write(file.subarray(start, start + size));
    }
    body.end();
    expect(await report).toMatchObject({ imported: 400, refusedCount: 0 });
    expect(await conversationsOnQueue()).toEqual(Array.from({ length: 400 }, (_, index) => `c${index}`));
  });
});

describe('lines that are refused', () => {
  it('are named with number, path and reason, and the others are kept', async () => {
    const depth = 70;
    const lines: [string, object | undefined][] = [
      [line('first'), undefined],
      ['', undefined],
      ['{"messages": [', { path: '', reason: 'is not valid JSON' }],
      ['[]', { path: '', reason: expect.stringContaining('object') }],
      ['{"id":"x","messages":[]}', { path: 'messages', reason: expect.any(String) }],
      [line('x', 'y', { added: 1 }), { path: '', reason: expect.stringContaining('added') }],
      ['{"messages":[{"role":"robot","content":"x"}]}', { path: 'messages.0.role', reason: expect.any(String) }],
      [line('x', 'y', { metadata: { startedAt: -1 } }), { path: 'metadata.startedAt', reason: expect.any(String) }],
      [line('x', 'z'.repeat(MAX_LINE_BYTES)), { path: '', reason: `is longer than ${MAX_LINE_BYTES} bytes` }],
      [`{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`, { path: '', reason: 'nests deeper than 64 levels' }],
      [line('x\u0007'), { path: 'id', reason: expect.any(String) }],
      ['{"id":"x","id":"y","messages":[]}', { path: 'id', reason: 'is given twice' }],
      [
        '{"messages":[{"role":"user","content":"x","seed":-9007199254740993}]}',
        { path: 'messages.0.seed', reason: expect.stringContaining('9007199254740991') },
      ],
      [
        '{"messages":[{"role":"user","content":"\\ud800"}]}',
        { path: '', reason: expect.stringContaining('surrogate') },
      ],
      [line('last'), undefined],
    ];
    const report = await reportOf(lines.map(([text]) => text).join('\n'));
    const refused = lines.flatMap(([, refusal], index) =>
      refusal === undefined ? [] : [{ line: index + 1, ...refusal }],
    );
    expect(report).toEqual({ imported: 2, refusedCount: refused.length, refused });
    expect(await conversationsOnQueue()).toEqual(['first', 'last']);
  });

  it('are all counted, and the first 1,000 named', async () => {
    const report = await reportOf(`${'x\n'.repeat(1_500)}${line('good')}`);
    expect(report).toMatchObject({ imported: 1, refusedCount: 1_500 });
    expect(report.refused).toHaveLength(1_000);
    expect(report.refused.at(-1)).toMatchObject({ line: 1_000 });
  });

  it('a line of any length is not held in memory', async () => {
    const body = new PassThrough();
    const report = reportOf(body);
    let mostBytes = 0;
    for (let piece = 0; piece < 200; piece += 1) {
      if (!body.write(Buffer.alloc(100_000, 'x'))) await new Promise((resolve) => body.once('drain', resolve));
      mostBytes = Math.max(mostBytes, ingest.budget.usedBytes);
    }
    body.end(`\n${line('after it')}`);
    expect(await report).toMatchObject({ imported: 1, refused: [{ line: 1 }] });
    expect(mostBytes).toBeLessThan(2_000_000);
  });

  it('bytes that are no UTF-8 are refused line by line, a file of UTF-16 as a whole', async () => {
    const file = Buffer.concat([
      Buffer.from(`${line('a')}\n`),
      Buffer.from([0x22, 0xff, 0x22, 10]),
      Buffer.from(line('b')),
    ]);
    expect(await reportOf(file)).toMatchObject({ imported: 2, refused: [{ line: 2, reason: 'is not UTF-8 text' }] });
    const utf16 = await importFile(Buffer.from(`\uFEFF${line('a')}`, 'utf16le'));
    expect(utf16).toMatchObject({
      status: 400,
      body: { code: 'MALFORMED_BODY', message: expect.stringContaining('UTF-16') },
    });
    const withoutMark = await reportOf(Buffer.from(line('a'), 'utf16le'));
    expect(withoutMark).toMatchObject({
      imported: 0,
      refused: [{ line: 1, reason: expect.stringContaining('UTF-16') }],
    });
  });
});

describe('a file that breaks off', () => {
  it('keeps the lines before, and says after which line it broke off', async () => {
    // No compression, so that the first lines of a truncated file can be read.
    const file = gzipSync(Array.from({ length: 500 }, (_, index) => line(`c${index}`, 'x'.repeat(500))).join('\n'), {
      level: 0,
    });
    const { status, body } = await importFile(file.subarray(0, file.length - 100_000), GZIP);
    expect(status).toBe(400);
    const { message } = body as { message: string };
    expect(message).toMatch(/after line \d+$/);
    const kept = await conversationsOnQueue();
    expect(kept.length).toBe(Number(/\d+$/.exec(message)?.[0]));
    expect(kept.length).toBeGreaterThan(200);
  });

  it('keeps the lines that came of a caller that went away', async () => {
    const caller = new AbortController();
    const body = new PassThrough();
    const sent = ingest.send({ path: IMPORT_PATH, body, signal: caller.signal });
    body.write(`${line('whole')}\n${line('cut').slice(0, -5)}`);
    await eventually(() => expect(ingest.budget.usedBytes).toBeGreaterThan(0));
    caller.abort();
    await expect(sent).rejects.toThrow('aborted');
    await eventually(async () => expect(await conversationsOnQueue()).toEqual(['whole']));
  });
});

describe('an import while the broker does not take messages', () => {
  async function behindFault(patienceMs: number) {
    const { hostname: host, port } = new URL(environment.amqpUrl);
    const fault = await createTcpFault({ target: { host, port: Number(port) } });
    const impatient = await startTestIngest(environment, {
      variables: { IMPORT_PATIENCE_MS: patienceMs },
      amqpUrl: fault.through(environment.amqpUrl),
      publisher: { maxWaitMs: 50 },
    });
    return { fault, by: impatient, stop: async () => (await impatient.stop(), await fault.close()) };
  }

  it('waits for it rather than begin anew', async () => {
    const { fault, by, stop } = await behindFault(10_000);
    const cut = fault.cutBefore('patient');
    const answer = importFile(line('patient'), {}, by);
    await cut;
    expect(await answer).toMatchObject({ status: 200, body: { imported: 1 } });
    expect(await conversationsOnQueue()).toEqual(['patient']);
    await stop();
  });

  it('is 503 with Retry-After once its patience is at an end', async () => {
    const { fault, by, stop } = await behindFault(200);
    fault.block();
    const { status, headers } = await importFile(line('late'), {}, by);
    expect({ status, retryAfter: headers['retry-after'] }).toEqual({ status: 503, retryAfter: '2' });
    expect(by.budget.usedBytes).toBe(0);
    await stop();
  });
});

describe('an import that is refused', () => {
  it.each<[string, number, Partial<Call>]>([
    ['without an identity', 401, { principal: null }],
    ['without the scope', 403, { principal: keyWith('workspace:read') }],
    ["into another project than the identity's", 404, { identityProject: `prj_02${'0'.repeat(24)}` }],
    ['into a project that cannot be', 404, { path: IMPORT_PATH.replace(PROJECT_ID, 'prj_no') }],
    ['in another encoding', 415, { headers: { 'content-encoding': 'br' } }],
  ])('%s is %i in the common body, and nothing is kept', async (_name, status, call) => {
    const answer = await ingest.send({ path: IMPORT_PATH, body: line('x'), ...call });
    expect(answer).toMatchObject({ status, body: { requestId: expect.any(String), code: expect.any(String) } });
    expect(await conversationsOnQueue()).toEqual([]);
  });
});
