import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MAX_SHOWN, treeRows } from './flat-tree-rows.ts';

const NOTHING = { toggled: new Set<string>(), whole: new Set<string>() };

describe('the rows of a value', () => {
  it('are its members, with branches down to some depth open', () => {
    const rows = treeRows({ a: 1, b: { c: ['x'] } }, NOTHING);
    expect(rows.map(({ path, depth, kind, text }) => [path, depth, kind, text])).toEqual([
      ['/a', 0, 'value', '1'],
      ['/b', 0, 'branch', '{1}'],
      ['/b/c', 1, 'branch', '[1]'],
      ['/b/c/0', 2, 'text', 'x'],
    ]);
  });

  it('leave out what is closed, and add what is opened', () => {
    const value = { a: { b: { c: { d: 1 } } } };
    expect(treeRows(value, { ...NOTHING, toggled: new Set(['/a']) })).toHaveLength(1);
    expect(treeRows(value, NOTHING)).toHaveLength(3);
    expect(treeRows(value, { ...NOTHING, toggled: new Set(['/a/b/c']) })).toHaveLength(4);
  });

  it('cut long texts until they are asked for', () => {
    const long = 'x'.repeat(MAX_SHOWN + 1);
    expect(treeRows({ long }, NOTHING)[0]).toMatchObject({ text: 'x'.repeat(MAX_SHOWN), cutFrom: MAX_SHOWN + 1 });
    expect(treeRows({ long }, { ...NOTHING, whole: new Set(['/long']) })[0]).toEqual({
      ...{ path: '/long', depth: 0, name: 'long', kind: 'text', text: long, isOpen: false },
    });
  });

  it('tell type and size of a data URI instead of its bytes', () => {
    const image = `data:image/png;base64,${'A'.repeat(4_096)}`;
    expect(treeRows({ image }, NOTHING)[0]).toMatchObject({ kind: 'data', text: 'image/png, 3 KiB' });
  });

  it('have a path each, whatever the names are', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const paths = treeRows(value, NOTHING).map(({ path }) => path);
        expect(new Set(paths).size).toBe(paths.length);
      }),
    );
  });
});
