import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { preconditionOf } from './precondition.ts';

const preconditionWith = (header: string | undefined) =>
  preconditionOf({ headers: header === undefined ? {} : { 'if-match': header } } as IncomingMessage);

describe('If-Match', () => {
  it.each([undefined, '*', ' * ', '"a"', '"b", "a"', 'W/"b","a"'])('%j lets the resource "a" be changed', (header) => {
    expect(() => preconditionWith(header).check('"a"')).not.toThrow();
  });

  it.each(['"b"', 'W/"a"', 'a', '', '"b", W/"a"'])('%j does not, and the answer names the one that is', (header) => {
    expect(() => preconditionWith(header).check('"a"')).toThrow(
      expect.objectContaining({ code: 'PRECONDITION_FAILED', headers: { etag: '"a"' } }),
    );
  });
});
