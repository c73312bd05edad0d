import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const ROOT = join(import.meta.dirname, '../../..');

function run(script: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--conditions=clew-source', script, ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '', CLEW_HOME: join(tmpdir(), 'clew-nowhere') },
  });
  return { status, lines: `${stdout}${stderr}`.split('\n') };
}

describe.each([
  { script: 'tools/stack/src/main.ts', args: ['start'] },
  { script: 'tools/stack/src/main.ts', args: ['status'] },
  { script: 'tools/stack/src/servers.ts', args: [] },
  { script: 'tools/test/src/main.ts', args: [] },
  { script: 'tools/bench/src/main.ts', args: ['gateway'] },
  { script: 'tools/eval/src/main.ts', args: ['findings'] },
  { script: 'tools/generate/src/main.ts', args: [] },
  { script: 'libs/operator/src/main.ts', args: ['dead-letters'] },
  { script: 'apps/gateway/src/bootstrap.ts', args: [] },
])('$script $args', ({ script, args }) => {
  it('answers an unknown option with one line and the usage, and ends with 2', () => {
    const { status, lines } = run(script, ...args, '--nope');
    expect(lines.slice(0, 2)).toEqual(["Unknown option '--nope'", expect.stringMatching(/^Usage:/)]);
    expect(lines.filter((line) => line.trim().startsWith('at '))).toEqual([]);
    expect(status).toBe(2);
  });
});

describe.each([
  { script: 'tools/stack/src/main.ts', args: ['nope'], complaint: 'there is no command "nope"' },
  { script: 'tools/stack/src/main.ts', args: ['restart'], complaint: 'the name of an application is missing' },
  {
    script: 'tools/stack/src/main.ts',
    args: ['scale', 'jobs-worker'],
    complaint: '"jobs-worker" is not <app>=<count>',
  },
  { script: 'tools/test/src/long.ts', args: ['nope'], complaint: 'there is no "nope"' },
  { script: 'tools/bench/src/main.ts', args: ['nope'], complaint: 'there is no "nope"' },
  { script: 'tools/eval/src/main.ts', args: ['findings'], complaint: '--data is missing' },
  { script: 'apps/gateway/src/bootstrap.ts', args: ['--output', 'xml'], complaint: 'there is no output "xml"' },
])('$script $args', ({ script, args, complaint }) => {
  it('says what is wrong in one line before the usage, and ends with 2', () => {
    const { status, lines } = run(script, ...args);
    expect([status, ...lines.slice(0, 2)]).toEqual([2, complaint, expect.stringMatching(/^Usage:/)]);
  });
});
