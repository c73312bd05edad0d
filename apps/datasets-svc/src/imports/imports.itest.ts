import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Dataset, Example } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { eventually, useTestEnvironment } from '@clew/testing';
import { startTestService, type TestService } from '../test-support/service.ts';
import { IMPORT_BATCH_EXAMPLES } from './import-run.ts';

const environment = useTestEnvironment();
let service: TestService;

beforeAll(async () => {
  service = await startTestService(environment);
});

afterAll(() => service.stop());

const line = (text: string, more: object = {}) =>
  JSON.stringify({ payload: { input: { type: 'text', text } }, ...more });
const dataset = async (path: string) => (await service.call<Dataset>({ path })).body;
const examples = async (path: string) =>
  (await service.call<{ examples: Example[] }>({ path: `${path}/examples?limit=1000` })).body.examples;
const textsOf = async (path: string) =>
  (await examples(path)).map(({ payload }) => (payload.input as { text: string }).text).toSorted();

describe('an import', () => {
  it('keeps the good lines, in order of batches, and names each refused line with its field and reason', async () => {
    const { path } = await service.newDataset();
    const lines = Array.from({ length: 2_500 }, (_, index) =>
      index % 10 === 3 ? line(`bad ${index}`, { tags: ['x', 'x'] }) : line(`good ${index}`, { tags: ['t'] }),
    );
    lines[7] = '{broken';
    const { status, report } = await service.transfers.upload(`${path}/imports?format=jsonl`, lines.join('\n'));
    expect(status).toBe(200);
    expect(report).toMatchObject({ imported: 2_249, updated: 0, skipped: 0, refusedCount: 251 });
    expect(report.refused.slice(0, 3)).toEqual([
      { line: 4, path: 'tags', reason: 'must not hold a tag twice' },
      { line: 8, path: '', reason: 'is not valid JSON' },
      { line: 14, path: 'tags', reason: 'must not hold a tag twice' },
    ]);
    expect(await dataset(path)).toMatchObject({ exampleCount: 2_249, version: 3 });
  });

  it.each([
    ['jsonl', '{"payload":{"input":{"type":"json","value":{"n":9007199254740993}}}}', 1, 'payload.input.value.n'],
    ['jsonl', '{"payload":{"input":{"type":"text","text":"a","text":"b"}}}', 1, 'payload.input.text'],
    ['csv', 'input.type,input.value\njson,"[0,{""n"":-1e999}]"\n', 2, 'payload.input.value.1.n'],
    [
      'openai-chat',
      '{"messages":[{"role":"assistant","content":"a","weight":9007199254740993}]}',
      1,
      'messages.0.weight',
    ],
  ])('of %s refuses the line %s: what it says would be changed', async (format, file, number, field) => {
    const { path } = await service.newDataset();
    const { status, report } = await service.transfers.upload(`${path}/imports?format=${format}`, file);
    const refused = [{ line: number, path: field, reason: expect.any(String) }];
    expect({ status, report }).toMatchObject({ status: 200, report: { imported: 0, refusedCount: 1, refused } });
  });

  it('names the first 1,000 refused lines, and counts them all', async () => {
    const { path } = await service.newDataset();
    const { report } = await service.transfers.upload(`${path}/imports?format=jsonl`, 'no\n'.repeat(1_500));
    expect(report).toMatchObject({ imported: 0, refusedCount: 1_500 });
    expect(report.refused.map((refused) => refused.line)).toEqual(
      Array.from({ length: 1_000 }, (_, index) => index + 1),
    );
  });

  it('gives a line without a source the kind import and where it stood, or the reference of the file', async () => {
    const { path } = await service.newDataset();
    const given = { source: { kind: 'manual', externalRef: 'case 1' } };
    await service.transfers.upload(`${path}/imports?format=jsonl`, `${line('a')}\n${line('b', given)}\n`);
    await service.transfers.upload(`${path}/imports?format=jsonl&externalRef=s3:file`, line('c'));
    const sources = Object.fromEntries(
      (await examples(path)).map(({ source, payload }) => [(payload.input as { text: string }).text, source]),
    );
    expect(sources).toEqual({
      a: { kind: 'import', externalRef: 'jsonl#1' },
      b: given.source,
      c: { kind: 'import', externalRef: 's3:file' },
    });
  });

  it.each(['skip', 'update'] as const)('that is repeated with onConflict=%s doubles nothing', async (onConflict) => {
    const { path } = await service.newDataset();
    const file = [line('a', { source: { derivationKey: 'k1' } }), line('b'), line('c')].join('\n');
    const url = `${path}/imports?format=jsonl&onConflict=${onConflict}`;
    expect((await service.transfers.upload(url, file)).report).toMatchObject({ imported: 3 });
    const repeated = (await service.transfers.upload(url, `${line('new')}\n${file}`)).report;
    expect(repeated).toMatchObject({ imported: 1, refusedCount: 0, nearDuplicates: { count: 0 } });
    expect(repeated.skipped + repeated.updated).toBe(3);
    expect(await textsOf(path)).toEqual(['a', 'b', 'c', 'new']);
  });

  it('with onConflict=fail names the lines whose derivationKey is taken', async () => {
    const { path } = await service.newDataset();
    const url = `${path}/imports?format=jsonl&onConflict=fail`;
    await service.transfers.upload(url, line('a', { source: { derivationKey: 'k1' } }));
    const file = `${line('b')}\n${line('other', { source: { derivationKey: 'k1' } })}`;
    const { report } = await service.transfers.upload(url, file);
    expect(report).toMatchObject({
      imported: 1,
      refusedCount: 1,
      refused: [{ line: 2, path: 'source.derivationKey' }],
    });
  });

  it('reports near duplicates within the file and of what the Dataset holds', async () => {
    const { path } = await service.newDataset();
    const story = 'the order did not arrive in time and nobody answered my letters about it for three whole weeks';
    await service.transfers.upload(`${path}/imports?format=jsonl`, line(story));
    const [held] = await examples(path);
    const other = 'a completely different text that tells about apples and pears and the weather of last summer';
    const file = [line(`${story.toUpperCase()}!`), line(other), line('unlike all the others here'), line(`${other}.`)];
    const { report } = await service.transfers.upload(`${path}/imports?format=jsonl`, file.join('\n'));
    expect(report).toMatchObject({ imported: 4, nearDuplicates: { count: 2, complete: true } });
    expect(report.nearDuplicates.pairs).toEqual([
      { line: 1, exampleId: held?.id, similarity: 1 },
      { line: 4, otherLine: 2, similarity: 1 },
    ]);
  });

  it('of a file that is cut in the middle refuses the broken last line, and keeps the ones before', async () => {
    const { path } = await service.newDataset();
    const file = Array.from({ length: 50 }, (_, index) => line(`line ${index}`)).join('\n');
    const { status, report } = await service.transfers.upload(`${path}/imports?format=jsonl`, file.slice(0, -20));
    expect(status).toBe(200);
    expect(report).toMatchObject({ imported: 49, refusedCount: 1, refused: [{ line: 50, path: '' }] });
  });

  it('of a gzip file that is cut keeps the lines before, and says where it broke off', async () => {
    const { path } = await service.newDataset();
    const file = gzipSync(Array.from({ length: 20_000 }, (_, index) => line(`line ${index * 7919}`)).join('\n'));
    const gzip = { 'content-encoding': 'gzip' };
    const cut = file.subarray(0, file.length / 2);
    const { status, report } = await service.transfers.upload(`${path}/imports?format=jsonl`, cut, gzip);
    expect(status).toBe(200);
    expect(report.imported).toBeGreaterThan(5_000);
    expect(report.refused).toEqual([
      { line: report.imported + 1, path: '', reason: expect.stringContaining('ends early') },
    ]);
    expect((await dataset(path)).exampleCount).toBe(report.imported);
  });

  it('refuses a gzip bomb with 413, and keeps the lines before', async () => {
    const { path } = await service.newDataset();
    const bomb = gzipSync(Buffer.concat([Buffer.from(`${line('first')}\n`), Buffer.alloc(64 * 1024 * 1024, 'x')]));
    const upload = service.transfers.upload(`${path}/imports?format=jsonl`, bomb, { 'content-encoding': 'gzip' });
    expect(await upload).toMatchObject({ status: 413, report: { error: 'Payload Too Large' } });
    expect(await textsOf(path)).toEqual(['first']);
  });

  it('takes a CSV with a mapping, quotes, newlines within quotes, and a byte order mark', async () => {
    const { path } = await service.newDataset();
    const file = '\ufeffFrage,Antwort,Nr\r\n"Was ist ""das""?\r\nGenau?",Ein Test,7\r\nWie?,"So, so",8\r\n';
    const mapping = JSON.stringify({ Frage: 'input', Antwort: 'expectedOutput', Nr: 'derivationKey' });
    const url = `${path}/imports?format=csv&mapping=${encodeURIComponent(mapping)}`;
    expect((await service.transfers.upload(url, file)).report).toMatchObject({ imported: 2, refusedCount: 0 });
    expect(await examples(path)).toMatchObject([
      { source: { externalRef: 'csv#4', derivationKey: '8' }, payload: { expectedOutput: { text: 'So, so' } } },
      {
        source: { externalRef: 'csv#2', derivationKey: '7' },
        payload: { input: { type: 'text', text: 'Was ist "das"?\r\nGenau?' } },
      },
    ]);
  });

  it.each([
    ['UTF-16, little-endian', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16, big-endian', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
  ])('reads a file in %s', async (_, encode) => {
    const { path } = await service.newDataset();
    const { report } = await service.transfers.upload(`${path}/imports?format=jsonl`, encode(`${line('Größe 😀')}\n`));
    expect(report).toMatchObject({ imported: 1, refusedCount: 0 });
    expect(await textsOf(path)).toEqual(['Größe 😀']);
  });

  it.each<[string, string | Buffer, string]>([
    ['NUL bytes', Buffer.from('{"a":\0}'), ''],
    ['invalid UTF-8', Buffer.from([0x22, 0xc3, 0x28, 0x22]), ''],
    ['half of a UTF-16 pair', Buffer.from([0xff, 0xfe, 0x22, 0, 0x00, 0xd8, 0x22, 0]), ''],
    ['a depth of 1,000', '{"payload":'.repeat(1_000) + '1' + '}'.repeat(1_000), ''],
    ['prototype keys', '{"__proto__":{"x":1},"constructor":1,"payload":{"input":{"type":"text","text":"x"}}}', ''],
    [
      'a prototype key within the payload',
      '{"payload":{"__proto__":{"x":1},"input":{"type":"text","text":"x"}}}',
      'payload',
    ],
    ['a number that is none', '{"payload":{"input":{"type":"json","value":1e999}}}', 'payload.input.value'],
    ['a list where an object is due', '[]', ''],
    ['a source that is none', line('x', { source: 'here' }), 'source'],
    ['an unknown kind', line('x', { source: { kind: 'dream' } }), 'source.kind'],
    [
      'a conversation without its id',
      line('x', { source: { kind: 'conversation', traceIds: ['t'] } }),
      'source.conversationId',
    ],
  ])('refuses a line with %s, and reads the next one', async (_, bad, path) => {
    const { path: target } = await service.newDataset();
    const isUtf16 = Buffer.isBuffer(bad) && bad[0] === 0xff;
    const good = isUtf16 ? Buffer.from(`\n${line('good')}`, 'utf16le') : Buffer.from(`\n${line('good')}`);
    const file = Buffer.concat([Buffer.from(bad), good]);
    const { status, report } = await service.transfers.upload(`${target}/imports?format=jsonl`, file);
    expect(status).toBe(200);
    expect(report).toMatchObject({ imported: 1, refusedCount: 1, refused: [{ line: 1, path }] });
  });

  it('refuses one line of 30 MB and reads the next; a million empty lines are nothing', async () => {
    const { path } = await service.newDataset();
    async function* file() {
      yield Buffer.from('{"payload":"');
      for (let part = 0; part < 30; part += 1) yield Buffer.alloc(1024 * 1024, 'x');
      yield Buffer.from(`"}\n`);
      for (let part = 0; part < 10; part += 1) yield Buffer.alloc(100_000, '\n');
      yield Buffer.from(line('good'));
    }
    const { report } = await service.transfers.upload(`${path}/imports?format=jsonl`, file());
    expect(report).toMatchObject({ imported: 1, refusedCount: 1, refused: [{ line: 1 }] });
    expect((await examples(path))[0]?.source).toMatchObject({ externalRef: 'jsonl#1000002' });
  });

  it('of an empty file changes nothing', async () => {
    const { path } = await service.newDataset();
    expect((await service.transfers.upload(`${path}/imports?format=csv`, '')).report).toMatchObject({ imported: 0 });
    expect(await dataset(path)).toMatchObject({ version: 0 });
  });

  it('whose sender goes away leaves whole batches, and its place to the next', async () => {
    const small = await startTestService(environment, { maxRunningImports: 1 });
    const { path } = await small.newDataset();
    const target = `${path}/imports?format=jsonl`;
    const lines = Array.from({ length: 2.5 * IMPORT_BATCH_EXAMPLES }, (_, index) => line(`line ${index}`)).join('\n');
    const socket = small.transfers.beginUpload(target);
    socket.write(lines);
    await eventually(async () => expect((await dataset(path)).exampleCount).toBe(2 * IMPORT_BATCH_EXAMPLES));
    expect((await small.transfers.upload(target, line('meanwhile'))).status).toBe(429);
    socket.destroy();
    await eventually(async () => expect((await small.transfers.upload(target, line('next'))).status).toBe(200));
    expect((await dataset(path)).exampleCount).toBe(2 * IMPORT_BATCH_EXAMPLES + 1);
    await small.stop();
  });

  it.each([
    ['an unknown format', 'format=xml'],
    ['no format', ''],
    ['a mapping that is no JSON', 'format=csv&mapping=x'],
    ['a mapping to an unknown field', 'format=csv&mapping=%7B%22a%22%3A%22wish%22%7D'],
    ['a mapping of JSON lines', 'format=jsonl&mapping=%7B%7D'],
    ['an unknown parameter', 'format=jsonl&wish=1'],
  ])('with %s is refused with 400', async (_, query) => {
    const { path } = await service.newDataset();
    const { status } = await service.transfers.upload(`${path}/imports?${query}`, line('x'));
    expect(status).toBe(400);
  });

  it('into a Dataset that does not exist is 404, also while its body is large', async () => {
    const missing = `/datasets/${newId('dst')}/imports?format=jsonl`;
    const { status } = await service.transfers.upload(missing, Buffer.alloc(5_000_000, '\n'));
    expect(status).toBe(404);
  });
});
