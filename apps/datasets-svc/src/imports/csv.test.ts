import { describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { piecesOf, readAll } from '../test-support/records.ts';
import { asUtf8 } from './as-utf8.ts';
import { splitRecord } from './csv-fields.ts';
import { CsvReader } from './csv-reader.ts';
import { CsvRecordCutter } from './csv-records.ts';

describe('the records of a CSV', () => {
  it('are those that another parser reads, however the bytes are cut', () => {
    const cell = fc.stringMatching(/^[a ,;"\n\ré😀]{0,8}$/u);
    const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(rows, fc.constantFrom('\n', '\r\n'), fc.integer({ min: 1, max: 9 }), (cells, newline, size) => {
        const file = cells.map((row) => row.map(quoted).join(',')).join(newline);
        const expected: string[][] = parse(file, { relax_column_count: true, record_delimiter: ['\r\n', '\n'] });
        expect(recordsOf(file, size).map(({ fields }) => fields)).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  it('have the number of the line in which they begin', () => {
    expect(recordsOf('a,b\n"1\n2\n3",x\r\nlast,y', 4).map(({ number }) => number)).toEqual([1, 2, 5]);
  });

  it.each([
    ['text after a quoted field', 'a,b\n"x"y,z\ngood,1\n', 2],
    ['a quote that is not doubled', 'a,b\n"say "hi" now",z\ngood,1\n', 2],
    ['a quote that the next line closes', 'a,b\n"open,z\nbad,"1"\ngood,1\n', 2],
    ['a quote that the file does not close', 'a,b\ngood,1\n"open,z\nmore,1\n', 3],
  ])('with %s are refused alone', (_, file, line) => {
    const records = recordsOf(file, 3);
    expect(records.filter(({ refusal }) => refusal !== undefined).map(({ number }) => number)).toEqual([line]);
    expect(records.filter(({ fields }) => fields?.[0] === 'good')).toHaveLength(1);
  });

  it('over the limit are refused and not held; the next ones are read', () => {
    const records = recordsOf(`a,b\n"${'x\n'.repeat(600)}",1\n${'y'.repeat(1_100)},1\ngood,1`, 50);
    expect(records.map(({ number, refusal }) => [number, refusal])).toEqual([
      [1, undefined],
      [2, 'is longer than 1000 bytes'],
      [603, 'is longer than 1000 bytes'],
      [604, undefined],
    ]);
  });

  it('keep a quote in the middle of a field that is not quoted', () => {
    expect(recordsOf('size,b\n5" pipe,x', 4)[1]?.fields).toEqual(['5" pipe', 'x']);
  });
});

describe('a CSV', () => {
  it('fills the fields that the mapping names, and passes over the other columns', async () => {
    const file = 'question;answer;labels;ref;noise\nWhy?;Because;a, b;case 7;x\nHow?;;;;\n';
    const mapping = { question: 'input', answer: 'expectedOutput', labels: 'tags', ref: 'externalRef' } as const;
    expect(await read(file, { mapping, delimiter: 'semicolon' })).toEqual([
      {
        source: { externalRef: 'case 7' },
        tags: ['a', 'b'],
        payload: { input: { type: 'text', text: 'Why?' }, expectedOutput: { type: 'text', text: 'Because' } },
      },
      { payload: { input: { type: 'text', text: 'How?' } } },
    ]);
  });

  it.each([
    ['input,input.system', 'Hi,be kind', { type: 'prompt', prompt: 'Hi', system: 'be kind' }],
    ['input,input.context', 'Sum it up,long', { type: 'instruction', instruction: 'Sum it up', context: 'long' }],
    ['input.type,input', 'json,"{""a"":1}"', { type: 'json', value: { a: 1 } }],
    [
      'input.messages,tags',
      '"[{""role"":""user"",""content"":""x""}]",',
      { type: 'chat', messages: [{ role: 'user', content: 'x' }] },
    ],
  ])('with the columns %s has the input that they tell', async (header, row, input) => {
    const [example] = await read(`${header}\n${row}\n`);
    expect(example).toEqual({ payload: { input } });
  });

  it('names the field whose JSON is broken, and the record that has another number of fields', async () => {
    const file = 'input,rubric\nx,{broken\ny\nz,,,,\n"z",,\nz,"{""criteria"":""ok""}"\n';
    expect((await readAll(new CsvReader(options()), asUtf8(piecesOf(file)))).slice(0, 4)).toEqual([
      { line: 2, path: 'rubric', reason: 'is not valid JSON' },
      { line: 3, path: '', reason: 'has 1 fields where the header has 2' },
      { line: 4, path: '', reason: 'has more than 2 fields, as many as the header has' },
      { line: 5, path: '', reason: 'has more than 2 fields, as many as the header has' },
    ]);
  });

  it.each([
    ['a column that is no field', 'input,wish\nx,y', {}],
    ['a column twice', 'input,input\nx,y', {}],
    ['a mapping of a column that is not there', 'a,b\nx,y', { mapping: { c: 'input' } as const }],
  ])('with %s is refused as a whole', async (_, file, given) => {
    await expect(read(file, given)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  it('with a header that is longer than any is refused before it is taken apart', async () => {
    const header = `input${',c'.repeat(70_000)}`;
    await expect(read(`${header}\nx`, { maxRecordBytes: 1_000_000 })).rejects.toMatchObject({
      message: 'The header of the file is longer than 131072 characters',
    });
  });

  it('of an older system is read with its byte order mark, in UTF-16', async () => {
    const file = Buffer.from('\ufeffinput,tags\r\n"Größe,\r\n😀",a\r\n', 'utf16le');
    expect(await readAll(new CsvReader(options()), asUtf8(piecesOf(file, [3])))).toMatchObject([
      { line: 2, value: { tags: ['a'], payload: { input: { type: 'text', text: 'Größe,\r\n😀' } } } },
    ]);
  });
});

function options(given: Partial<ConstructorParameters<typeof CsvReader>[0]> = {}) {
  return { mapping: undefined, delimiter: undefined, maxRecordBytes: 1_000, ...given };
}

async function read(file: string, given: Partial<ConstructorParameters<typeof CsvReader>[0]> = {}) {
  const records = await readAll(new CsvReader(options(given)), asUtf8(piecesOf(file, [7])));
  return records.map((record) => ('value' in record ? record.value : record));
}

function recordsOf(file: string, pieceSize: number) {
  const cutter = new CsvRecordCutter(',', 1_000);
  const bytes = Buffer.from(file);
  const lines = [];
  for (let start = 0; start < bytes.length; start += pieceSize) {
    lines.push(...cutter.cut(bytes.subarray(start, start + pieceSize)));
  }
  return [...lines, ...cutter.end()].map((line) => ({
    number: line.number,
    refusal: 'refusal' in line ? line.refusal : undefined,
    fields: 'text' in line ? splitRecord(line.text, ',').map(({ text }) => text) : undefined,
  }));
}

function quoted(text: string): string {
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
