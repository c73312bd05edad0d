import { describe, expect, it } from '@jest/globals';
import { piecesOf, readAll } from '../test-support/records.ts';
import { asUtf8 } from './as-utf8.ts';
import { JsonLinesReader } from './json-lines.ts';

describe('a file of JSON lines', () => {
  it('passes over empty lines and names each line that cannot be read', async () => {
    const deep = '['.repeat(1_000) + ']'.repeat(1_000);
    const file = ['{"payload":1}', '', '  \r', '{broken', deep, `"${'x'.repeat(3_000)}"`, 'null', '{"payload":2'].join(
      '\n',
    );
    expect(await readAll(new JsonLinesReader(2_500, 'jsonl'), asUtf8(piecesOf(file, [100])))).toEqual([
      { line: 1, value: { payload: 1 }, costBytes: expect.any(Number) },
      { line: 4, path: '', reason: 'is not valid JSON' },
      { line: 5, path: '', reason: 'nests deeper than 64 levels' },
      { line: 6, path: '', reason: 'is longer than 2500 bytes' },
      { line: 7, value: null, costBytes: expect.any(Number) },
      { line: 8, path: '', reason: 'is not valid JSON' },
    ]);
  });

  it.each([
    [
      '{"payload":{"input":{"type":"json","value":9007199254740993}}}',
      'payload.input.value',
      'beyond 9007199254740991',
    ],
    ['{"payload":[1,{"n":-1e999}]}', 'payload.1.n', 'beyond the range of a double'],
    ['{"payload":1,"payload":1}', 'payload', 'is given twice'],
  ])('refuses the line %s, which would be changed, and names the field', async (line, path, reason) => {
    const file = `{"payload":1}\n${line}\n{"payload":2}`;
    expect(await readAll(reader(), asUtf8(piecesOf(file, [100])))).toEqual([
      { line: 1, value: { payload: 1 }, costBytes: expect.any(Number) },
      { line: 2, path, reason: expect.stringContaining(reason) },
      { line: 3, value: { payload: 2 }, costBytes: expect.any(Number) },
    ]);
  });

  it('in UTF-16 is read by its byte order mark, and without one each line is refused', async () => {
    const text = '{"payload":"ä"}\n{"payload":"😀"}\n';
    const marked = Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
    expect(await readAll(reader(), asUtf8(piecesOf(marked, [5])))).toMatchObject([
      { value: { payload: 'ä' } },
      { value: { payload: '😀' } },
    ]);
    const refused = await readAll(reader(), asUtf8(piecesOf(Buffer.from(text, 'utf16le'), [5])));
    expect(refused.every((record) => 'reason' in record)).toBe(true);
  });

  it('leaves out what an export says of the Dataset that it came from', async () => {
    const line = '{"id":"ex_1","createdAt":1,"updatedAt":2,"source":{},"tags":[],"payload":{},"wish":1}';
    expect(await readAll(reader(), asUtf8(piecesOf(line)))).toMatchObject([
      { value: { source: {}, tags: [], payload: {}, wish: 1 } },
    ]);
  });
});

function reader(): JsonLinesReader {
  return new JsonLinesReader(1_000, 'jsonl');
}
