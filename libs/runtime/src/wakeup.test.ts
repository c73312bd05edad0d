import { describe, expect, it } from '@jest/globals';
import { Wakeup } from './wakeup.ts';

const LONG_MS = 60_000;

describe('a wake-up', () => {
  it('cuts a wait short', async () => {
    const wakeup = new Wakeup();
    const waited = wakeup.wait(LONG_MS);
    wakeup.wake();
    await waited;
  });

  it('is not forgotten when nobody waits, and counts once', async () => {
    const wakeup = new Wakeup();
    wakeup.wake();
    await wakeup.wait(LONG_MS);
    const startedAtMs = performance.now();
    await wakeup.wait(20);
    expect(performance.now() - startedAtMs).toBeGreaterThanOrEqual(15);
  });

  it('does not cut a back-off short', async () => {
    const wakeup = new Wakeup();
    const startedAtMs = performance.now();
    const waited = wakeup.waitFully(20);
    wakeup.wake();
    await waited;
    expect(performance.now() - startedAtMs).toBeGreaterThanOrEqual(15);
  });

  it('ends every wait when the waiting ends', async () => {
    const wakeup = new Wakeup();
    const waiting = [wakeup.waitFully(LONG_MS)];
    wakeup.end();
    await Promise.all([...waiting, wakeup.wait(LONG_MS), wakeup.waitFully(LONG_MS)]);
  });
});
