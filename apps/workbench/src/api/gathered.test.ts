import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { gathered } from './gathered.ts';

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

it('takes what comes together once, and goes on at most once in an interval', () => {
  const takes: (readonly number[])[] = [];
  const calls = gathered<number>((items) => takes.push(items), 1_000);
  calls.add(1);
  calls.add(2);
  jest.advanceTimersByTime(100);
  expect(takes).toEqual([[1, 2]]);
  for (let at = 0; at < 500; at += 1) {
    calls.add(at);
    jest.advanceTimersByTime(10);
  }
  jest.advanceTimersByTime(1_000);
  expect(takes.length).toBeLessThanOrEqual(7);
  expect(takes.flat()).toHaveLength(502);
});

it('takes a single thing soon after a rest', () => {
  const takes: (readonly number[])[] = [];
  const calls = gathered<number>((items) => takes.push(items), 1_000);
  calls.add(1);
  jest.advanceTimersByTime(5_000);
  calls.add(2);
  jest.advanceTimersByTime(100);
  expect(takes).toEqual([[1], [2]]);
});

it('takes nothing after its end', () => {
  const take = jest.fn();
  const calls = gathered<number>(take, 1_000);
  calls.add(1);
  calls.end();
  jest.advanceTimersByTime(5_000);
  expect(take).not.toHaveBeenCalled();
});
