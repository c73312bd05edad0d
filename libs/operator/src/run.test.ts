import { describe, expect, it } from '@jest/globals';
import { runCommand } from './run.ts';

async function run(...argv: string[]): Promise<{ code: number; output: string }> {
  let output = '';
  const code = await runCommand(argv, {
    env: { CLEW_HOME: '/nowhere' },
    write: (text) => {
      output += text;
    },
  });
  return { code, output };
}

describe('clew', () => {
  it('without a command shows what there is', async () => {
    const { code, output } = await run();
    expect(code).toBe(0);
    expect(output).toContain('bootstrap');
    expect(output).toContain('dead-letters');
  });

  it('an unknown command is a usage error', async () => {
    expect((await run('nothing')).code).toBe(2);
  });

  it('an unknown option is a usage error that shows the usage', async () => {
    const { code, output } = await run('dead-letters', '--nothing');
    expect(code).toBe(2);
    expect(output).toContain('Usage: npm run clew -- dead-letters');
  });

  it('secrets says what it does, and does nothing else', async () => {
    const { code, output } = await run('secrets');
    expect(code).toBe(2);
    expect(output).toContain('Usage: npm run clew -- secrets rewrap');
  });

  it('people takes one action, and needs the database', async () => {
    expect(await run('people')).toMatchObject({
      code: 2,
      output: expect.stringContaining('people reset-link EMAIL'),
    });
    const { code, output } = await run('people', 'reset-link', 'ada@example.org');
    expect([code, output]).toEqual([2, expect.stringContaining('Set MONGO_URL')]);
  });

  it('a command without a broker says which variable to set', async () => {
    const { code, output } = await run('dead-letters', 'list', 'x');
    expect(code).toBe(2);
    expect(output).toContain('AMQP_URL');
  });
});
