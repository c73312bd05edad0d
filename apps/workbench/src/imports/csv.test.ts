import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { csvRecords, csvText, delimiterOf, DELIMITERS, type Delimiter } from './csv.ts';

describe('the records of a CSV', () => {
  it('have quoted cells with delimiters, quotes and line ends in them, and the line where each begins', () => {
    const text = '\ufeffa,b\r\n"1,""x""\ny",2\n\n3,\n';
    expect(csvRecords(text, 'comma', 10)).toEqual({
      records: [
        { line: 1, cells: ['a', 'b'] },
        { line: 2, cells: ['1,"x"\ny', '2'] },
        { line: 5, cells: ['3', ''] },
      ],
      isOpen: false,
    });
  });

  it('end where the text is cut within a quoted cell', () => {
    expect(csvRecords('a\n"1\n2', 'comma', 10)).toEqual({ records: [{ line: 1, cells: ['a'] }], isOpen: true });
  });

  it('are no more than asked for', () => {
    expect(csvRecords('a\nb\nc\n', 'comma', 2).records.map(({ cells }) => cells[0])).toEqual(['a', 'b']);
  });

  it('are what was written, whatever stands in the cells', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', ' ', 'ü') });
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell, fc.constant('x')), { minLength: 1, maxLength: 8 }), (rows) => {
        const read = csvRecords(csvText(rows), 'comma', 100).records.map(({ cells }) => cells);
        expect(read).toEqual(rows);
      }),
    );
  });
});

it('finds the delimiter in the header', () => {
  for (const name of Object.keys(DELIMITERS) as Delimiter[]) {
    expect(delimiterOf(`a${DELIMITERS[name]}b${DELIMITERS[name]}c\n1,1;1\t1`)).toBe(name);
  }
  expect(delimiterOf('only')).toBe('comma');
});

it('writes no cell that a spreadsheet would take for a formula', () => {
  expect(csvText([['=1+1', -2, 'plain']])).toBe("'=1+1,-2,plain\r\n");
});
