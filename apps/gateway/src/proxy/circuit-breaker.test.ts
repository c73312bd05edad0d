import { describe, expect, it } from '@jest/globals';
import { createCircuitBreaker } from './circuit-breaker.ts';

function setUp() {
  let nowMs = 0;
  const breaker = createCircuitBreaker({ failures: 3, openMs: 1_000, now: () => nowMs });
  const fail = (times: number) => {
    for (let count = 0; count < times; count += 1) breaker.failed();
  };
  return { breaker, fail, advance: (ms: number) => (nowMs += ms) };
}

describe('a circuit breaker', () => {
  it('lets requests through until so many have failed in a row', () => {
    const { breaker, fail } = setUp();
    fail(2);
    expect([breaker.waitMs(), breaker.isOpen()]).toEqual([0, false]);
    fail(1);
    expect([breaker.waitMs(), breaker.isOpen()]).toEqual([1_000, true]);
  });

  it('counts only failures with no success in between', () => {
    const { breaker, fail } = setUp();
    fail(2);
    breaker.succeeded();
    fail(2);
    expect(breaker.isOpen()).toBe(false);
  });

  it('lets a single probe through once its time is over', () => {
    const { breaker, fail, advance } = setUp();
    fail(3);
    advance(999);
    expect(breaker.waitMs()).toBe(1);
    advance(1);
    expect([breaker.waitMs(), breaker.waitMs(), breaker.waitMs()]).toEqual([0, 1_000, 1_000]);
  });

  it('closes when the probe succeeds', () => {
    const { breaker, fail, advance } = setUp();
    fail(3);
    advance(1_000);
    breaker.waitMs();
    breaker.succeeded();
    expect([breaker.waitMs(), breaker.waitMs()]).toEqual([0, 0]);
  });

  it('stays open when the probe fails, from then on', () => {
    const { breaker, fail, advance } = setUp();
    fail(3);
    advance(1_000);
    breaker.waitMs();
    advance(400);
    breaker.failed();
    expect(breaker.waitMs()).toBe(1_000);
  });

  it('sends another probe where one never ended', () => {
    const { breaker, fail, advance } = setUp();
    fail(3);
    advance(1_000);
    breaker.waitMs();
    advance(1_000);
    expect(breaker.waitMs()).toBe(0);
  });
});
