import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createLogger } from './logger.ts';
import { createReadiness } from './readiness.ts';

let works = true;
let asked = 0;
const check = {
  name: 'mongo',
  async check() {
    asked += 1;
    if (!works) throw new Error('down');
  },
};

beforeEach(() => {
  works = true;
  asked = 0;
  jest.useFakeTimers({ now: 1_000_000 });
});
afterEach(() => {
  jest.useRealTimers();
});

describe('createReadiness', () => {
  it('is ready without checks, and only when every check passes', async () => {
    expect(await createReadiness([]).report()).toEqual({ ready: true, checks: {} });
    const other = { name: 'other', check: async () => undefined };
    expect(await createReadiness([check, other]).report()).toEqual({
      ready: true,
      checks: { mongo: 'ok', other: 'ok' },
    });
    works = false;
    expect(await createReadiness([check, other]).report()).toMatchObject({
      ready: false,
      checks: { mongo: 'failing', other: 'ok' },
    });
  });

  it('asks a check at most once in two seconds, however many probes come', async () => {
    const readiness = createReadiness([check]);
    await Promise.all(Array.from({ length: 20 }, () => readiness.report()));
    jest.setSystemTime(1_001_999);
    await readiness.report();
    expect(asked).toBe(1);
    jest.setSystemTime(1_002_001);
    await readiness.report();
    expect(asked).toBe(2);
  });

  it('is ready again at once when what failed works', async () => {
    const readiness = createReadiness([check]);
    works = false;
    expect((await readiness.report()).ready).toBe(false);
    works = true;
    expect((await readiness.report()).ready).toBe(true);
  });

  it('tells the log when a check begins to fail, once a minute from then on, and when it works again', async () => {
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(line) };
    const logger = createLogger({ service: 'test', version: '0', level: 'info', destination });
    const readiness = createReadiness([check], logger);
    works = false;
    for (let look = 0; look < 61; look += 1) {
      await readiness.report();
      jest.setSystemTime(Date.now() + 1_000);
    }
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(['not ready', 'not ready']);
    expect(lines[0]).toContain('down');
    works = true;
    await readiness.report();
    await readiness.report();
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg).slice(2)).toEqual(['works again']);
  });

  it('is not ready from the moment that the process drains', async () => {
    const readiness = createReadiness([check]);
    expect((await readiness.report()).ready).toBe(true);
    expect(readiness.draining.aborted).toBe(false);
    readiness.startDraining();
    expect((await readiness.report()).ready).toBe(false);
    expect(readiness.draining.aborted).toBe(true);
  });
});
