import { describe, expect, it } from '@jest/globals';
import { jsonText } from './tool-exchanges.ts';

describe('the text of arguments', () => {
  it('is made once for the same value, however many Rules ask for it', () => {
    let reads = 0;
    const given = {
      b: 1,
      get a() {
        reads += 1;
        return 2;
      },
    };
    expect(jsonText(given)).toBe('{"a":2,"b":1}');
    const readsOfOne = reads;
    expect(jsonText(given)).toBe('{"a":2,"b":1}');
    expect(reads).toBe(readsOfOne);
  });

  it.each([
    ['a text', 'a text'],
    [undefined, ''],
    [null, 'null'],
    [1.5, '1.5'],
    [['\ud800'], '\ud800'],
  ])('of %j is %j', (value, text) => {
    expect(jsonText(value)).toBe(text);
    expect(jsonText(value)).toBe(text);
  });
});
