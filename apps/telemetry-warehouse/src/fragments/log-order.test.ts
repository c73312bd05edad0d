import { describe, expect, it } from '@jest/globals';
import type { LogRecord } from '@clew/contracts';
import { createLogOrder } from './log-order.ts';

function log(content: string, timeUnixNano = '1700000000000000000', spanId = '1'.padStart(16, '0')): LogRecord {
  return {
    ...{ traceId: '1'.padStart(32, '0'), spanId, timeUnixNano },
    ...{ eventName: 'gen_ai.user.message', attributes: {}, body: { content } },
  };
}

function timesOf(logs: readonly LogRecord[]): string[] {
  return logs.map(createLogOrder()).map(({ timeUnixNano }) => timeUnixNano);
}

describe('log records of one span and one time', () => {
  it('stand in the order in which they came', () => {
    expect(timesOf([log('b'), log('a'), log('c')])).toEqual([
      '1700000000000000000',
      '1700000000000000001',
      '1700000000000000002',
    ]);
  });

  it('have one time where they say the same, so that a repeat stays one', () => {
    const [first, second, repeat] = timesOf([log('b'), log('a'), log('a')]);
    expect(repeat).toBe(second);
    expect(repeat).not.toBe(first);
    expect(timesOf([log('b'), log('b')])).toEqual(['1700000000000000000', '1700000000000000000']);
  });

  it('keep their times where these differ, or belong to other spans', () => {
    const others = [log('a'), log('a', '1700000000000000005'), log('b', undefined, '2'.padStart(16, '0'))];
    expect(timesOf(others)).toEqual(others.map(({ timeUnixNano }) => timeUnixNano));
  });
});
