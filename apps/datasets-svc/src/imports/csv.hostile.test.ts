import { expect, it } from '@jest/globals';
import { slowTexts, twoPieceTexts, type Work } from '@clew/testing/hostile';
import { escapeFormula, unescapeFormula } from '../exports/csv-formula.ts';
import { planColumns } from './csv-columns.ts';
import { splitRecord } from './csv-fields.ts';
import { CsvRecordCutter } from './csv-records.ts';

it.each<[string, Work]>([
  ['its fields', (text) => splitRecord(text, ',')],
  ['its records', (text) => [...new CsvRecordCutter(',', 1_000_000).cut(Buffer.from(text))]],
  ['its columns', (text) => planColumns(columnsOf(text.length), { c0: 'input' })],
  ['a cell that is a formula', (text) => unescapeFormula(escapeFormula(text))],
])(
  'a CSV is read and written in time that is linear in its length: %s',
  (_, read) => {
    expect(slowTexts(read, twoPieceTexts())).toEqual([]);
  },
  300_000,
);

/** As many distinct column names as fit in a header of that length. */
function columnsOf(length: number): string[] {
  return Array.from({ length: Math.ceil(length / 3) }, (_, index) => `c${index}`);
}
