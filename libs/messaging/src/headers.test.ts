import { describe, expect, it } from '@jest/globals';
import type { MessageProperties } from 'amqplib';
import { attemptOf, portableHeaders } from './headers.ts';

function properties(headers?: Record<string, unknown>): MessageProperties {
  return { headers } as MessageProperties;
}

describe('attemptOf', () => {
  it('is the first attempt where the header is absent or is no count', () => {
    expect([{}, undefined, { 'x-attempt': '3' }, { 'x-attempt': 0 }].map((h) => attemptOf(properties(h)))).toEqual([
      1, 1, 1, 1,
    ]);
    expect(attemptOf(properties({ 'x-attempt': 3 }))).toBe(3);
  });
});

describe('portableHeaders', () => {
  it('leaves out what the broker and earlier attempts wrote', () => {
    const headers = { traceparent: '00-1', 'x-death': [], 'x-attempt': 2, 'x-delivery-count': 1 };
    expect(portableHeaders(properties(headers))).toEqual({ traceparent: '00-1' });
  });
});
