import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '../logger.ts';
import { beginSpan, beginTrace, currentSpan, inSpan, resumeTrace, startTracing } from './tracing.ts';

/** Address without a listener; spans that cannot be sent are dropped. */
const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' };
const PARENT = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
const STEP = { name: 'step', kind: 'server' } as const;

let running: Awaited<ReturnType<typeof startTracing>>;

async function start(env: Record<string, string>): Promise<void> {
  running = await startTracing({ service: 'test', version: '1', env });
}

afterEach(async () => {
  await running?.stop();
  running = undefined;
});

describe('without a collector', () => {
  it.each<Record<string, string>>([
    {},
    { OTEL_EXPORTER_OTLP_ENDPOINT: '' },
    { ...ENDPOINT, OTEL_SDK_DISABLED: 'true' },
    { ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' },
  ])('nothing is traced: %j', async (env) => {
    await start(env);
    expect(running).toBeUndefined();
    expect([beginTrace(STEP), resumeTrace(PARENT, STEP), beginSpan(STEP), currentSpan()]).toEqual(
      Array(4).fill(undefined),
    );
    expect(await inSpan(undefined, async () => 1)).toBe(1);
  });

  // The interface package is loaded, by the library of metrics.
  it('no package of OpenTelemetry is loaded', () => {
    const script = `
      const { registerHooks } = await import('node:module');
      const loaded = [];
      registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
      const { startTracing } = await import(${JSON.stringify(join(import.meta.dirname, '../index.ts'))});
      await startTracing({ service: 'test', version: '1', env: JSON.parse(process.argv[1]) });
      console.log(loaded.filter((url) => /@opentelemetry.(?!api.)/.test(url)).length);`;
    const packagesWith = (env: object) =>
      Number(
        execFileSync(
          process.execPath,
          ['--conditions=clew-source', '--input-type=module', '-e', script, JSON.stringify(env)],
          { cwd: import.meta.dirname, encoding: 'utf8' },
        ),
      );
    expect(packagesWith({})).toBe(0);
    expect(packagesWith(ENDPOINT)).toBeGreaterThan(10);
  });
});

describe('a trace', () => {
  it('is begun for the share that is sampled, and for none or all where that is said', async () => {
    const begun = () => Array.from({ length: 400 }, () => beginTrace(STEP)).filter((span) => span !== undefined).length;
    const shares: [Record<string, string>, number, number][] = [
      [{ OTEL_TRACES_SAMPLER_ARG: '0' }, 0, 0],
      [{ OTEL_TRACES_SAMPLER_ARG: '1' }, 400, 400],
      [{ OTEL_TRACES_SAMPLER: 'always_off' }, 0, 0],
      [{ OTEL_TRACES_SAMPLER: 'parentbased_always_on' }, 400, 400],
      // One in a hundred by default; 40 is practically never reached.
      [{}, 0, 40],
    ];
    for (const [env, atLeast, atMost] of shares) {
      await start({ ...ENDPOINT, ...env });
      const count = begun();
      expect(count).toBeGreaterThanOrEqual(atLeast);
      expect(count).toBeLessThanOrEqual(atMost);
      await running?.stop();
    }
    await expect(start({ ...ENDPOINT, OTEL_TRACES_SAMPLER_ARG: 'some' })).rejects.toThrow('OTEL_TRACES_SAMPLER_ARG');
  });

  it('goes on from a traceparent that is sampled, and from nothing else', async () => {
    await start({ ...ENDPOINT, OTEL_TRACES_SAMPLER_ARG: '0' });
    expect(resumeTrace(PARENT, STEP)?.traceparent).toMatch(/^00-a{32}-[0-9a-f]{16}-01$/);
    const [id, span] = ['a'.repeat(32), 'b'.repeat(16)];
    const refused = [
      `00-${id}-${span}-00`,
      `00-${'0'.repeat(32)}-${span}-01`,
      `01-${id}-${span}-01`,
      'x',
      7,
      [PARENT],
      '',
    ];
    for (const traceparent of refused) expect(resumeTrace(traceparent, STEP)).toBeUndefined();
  });

  it('is found by the work that belongs to it, also after a pause, and by no other', async () => {
    await start(ENDPOINT);
    const span = resumeTrace(PARENT, STEP);
    const work = span?.run(async () => {
      await new Promise(setImmediate);
      return [currentSpan(), beginSpan(STEP)?.traceId];
    });
    expect(currentSpan()).toBeUndefined();
    expect(await work).toEqual([span, span?.traceId]);
  });

  it('is named by the log lines of its work', async () => {
    await start(ENDPOINT);
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(line) };
    const logger = createLogger({ service: 'test', version: '1', level: 'info', destination });
    logger.info('before');
    resumeTrace(PARENT, STEP)?.run(() => logger.child({ requestId: 'req_1' }).info('within'));
    expect(lines.map((line) => line.includes(`"traceId":"${'a'.repeat(32)}"`))).toEqual([false, true]);
    expect(lines[1]).toContain('"requestId":"req_1"');
  });
});
