import { describe, expect, it } from '@jest/globals';
import { CsvMappingQuery } from './csv.ts';

describe('the mapping of a CSV', () => {
  it('is a JSON object from columns to fields', () => {
    expect(CsvMappingQuery.parse('{"question":"input","a.b":"tags"}')).toEqual({ question: 'input', 'a.b': 'tags' });
  });

  it.each([
    ['{broken', 'must be a JSON object from column names to fields'],
    ['[', 'must be a JSON object from column names to fields'],
    ['{"a":"input","\\u0061":"tags"}', 'a: is given twice'],
    ['{"a":"input","b":"input"}', 'must not fill a field from two columns'],
  ])('is refused as %s', (text, message) => {
    expect(CsvMappingQuery.safeParse(text).error?.issues).toMatchObject([{ message }]);
  });
});
