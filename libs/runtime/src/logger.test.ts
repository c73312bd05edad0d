import { describe, expect, it } from '@jest/globals';
import { createLogger } from './logger.ts';

function logLines(level = 'info') {
  const lines: string[] = [];
  const logger = createLogger({
    service: 'test',
    version: '1.2.3',
    level,
    destination: { write: (line) => void lines.push(line) },
  });
  return { logger, lines };
}

describe('createLogger', () => {
  it('writes one JSON object for each line, saying who, when and how bad', () => {
    const { logger, lines } = logLines();
    logger.warn({ requestId: 'req_1' }, 'hello');
    const line = JSON.parse(lines[0] ?? '') as Record<string, unknown>;
    expect(line).toMatchObject({ level: 'warn', service: 'test', version: '1.2.3', requestId: 'req_1', msg: 'hello' });
    expect(Number(line['timeMs'])).toBeGreaterThan(1.7e12);
  });

  it.each([
    { apiKey: 'SECRET' },
    { secret: 'SECRET' },
    { body: { secret: 'SECRET', password: 'SECRET' } },
    { headers: { authorization: 'Bearer SECRET', cookie: 'session=SECRET' } },
    { req: { headers: { authorization: 'Bearer SECRET', cookie: 'SECRET' } } },
  ])('keeps the secret of %j out of the log', (fields) => {
    const { logger, lines } = logLines();
    logger.info(fields, 'm');
    logger.child(fields).info('m');
    expect(lines).toHaveLength(2);
    expect(lines.join()).not.toContain('SECRET');
  });

  it('tells an error with its stack and cause', () => {
    const { logger, lines } = logLines();
    logger.error({ err: new Error('outer', { cause: new Error('inner') }) }, 'm');
    expect(lines[0]).toContain('outer');
    expect(lines[0]).toContain('inner');
  });

  it('leaves out what is below its level', () => {
    const { logger, lines } = logLines('warn');
    logger.info('m');
    expect(lines).toEqual([]);
  });
});
