import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { IMAGES } from './image-content.ts';
import { Lock, pruneLock } from './prune-lock.ts';

const whole = Lock.parse(JSON.parse(readFileSync(join(import.meta.dirname, '../../../../package-lock.json'), 'utf8')));

const lockOf = (packages: Lock['packages']): Lock => ({ name: 'x', version: '1.0.0', lockfileVersion: 3, packages });

describe('a pruned lock', () => {
  const small = lockOf({
    '': {},
    'apps/a': { dependencies: { lib: '*', one: '1' }, devDependencies: { tool: '1' } },
    'apps/a/node_modules/one': { version: '1.0.0', dependencies: { two: '1' } },
    'apps/b': { dependencies: { three: '1' } },
    'libs/lib': { dependencies: { one: '2' }, optionalDependencies: { maybe: '1', never: '1' } },
    'node_modules/a': { resolved: 'apps/a', link: true },
    'node_modules/b': { resolved: 'apps/b', link: true },
    'node_modules/lib': { resolved: 'libs/lib', link: true },
    'node_modules/maybe': { version: '1.0.0', devOptional: true },
    'node_modules/one': { version: '2.0.0', peerDependencies: { two: '1' } },
    'node_modules/three': { version: '1.0.0' },
    'node_modules/tool': { version: '1.0.0', dev: true },
    'node_modules/two': { version: '1.0.0' },
  });

  it('holds what the workspace needs in production, each in its place, and nothing of others', () => {
    const { lock, workspaces } = pruneLock(small, ['apps/a']);
    expect(workspaces).toEqual(['apps/a', 'libs/lib']);
    expect(Object.keys(lock.packages)).toEqual([
      ...['', 'apps/a', 'apps/a/node_modules/one', 'libs/lib', 'node_modules/a', 'node_modules/lib'],
      ...['node_modules/maybe', 'node_modules/one', 'node_modules/two'],
    ]);
    expect(lock.packages['apps/a']).not.toHaveProperty('devDependencies');
    expect(lock.packages['node_modules/maybe']).toEqual({ version: '1.0.0' });
  });

  it('is refused where the whole lacks what is needed', () => {
    expect(() =>
      pruneLock(lockOf({ ...small.packages, 'apps/b': { dependencies: { none: '1' } } }), ['apps/b']),
    ).toThrow('lacks none');
  });
});

describe.each([...IMAGES])('the image %s', (_name, { main, alongside }) => {
  it('holds no app but those it starts, and no library for tests', () => {
    const { workspaces } = pruneLock(whole, [main, ...alongside]);
    const apps = workspaces.filter((folder) => folder.startsWith('apps/'));
    expect(apps).toEqual([main, ...alongside].filter((folder) => folder.startsWith('apps/')).sort());
    expect(workspaces.filter((folder) => folder.includes('testing') || folder.startsWith('tools/'))).toEqual([]);
  });
});
