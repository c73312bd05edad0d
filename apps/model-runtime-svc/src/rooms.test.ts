import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';

/** Folders that each folder may import; the files beside these folders wire them together and may import all. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  endpoint: ['shared'],
  catalog: ['shared'],
  runtime: ['shared'],
  shared: [],
};

const ROOT = import.meta.dirname;
const TEST = /\.[il]?test\.ts$|(?:^|\/)test-support\//;

const importsOf = new Map(
  readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !TEST.test(file))
    .map((file) => [file, relativeImports(file)]),
);

function relativeImports(file: string): string[] {
  const specifiers = readFileSync(join(ROOT, file), 'utf8').matchAll(/\bfrom '(\.[^']+)'|\bimport\('(\.[^']+)'\)/g);
  return [...specifiers].map((match) => relative(ROOT, join(ROOT, dirname(file), match[1] ?? match[2] ?? '')));
}

/** Folder of a file; undefined for a file beside the folders. */
function roomOf(file: string): string | undefined {
  return file.includes('/') ? file.split('/')[0] : undefined;
}

function between(): { from: string; to: string }[] {
  return [...importsOf].flatMap(([from, all]) =>
    all.filter((to) => roomOf(to) !== undefined && roomOf(to) !== roomOf(from)).map((to) => ({ from, to })),
  );
}

/** Files that are part of an import cycle, or that lead to one. */
function inCircles(): string[] {
  const open = new Map(importsOf);
  for (let before = -1; before !== open.size;) {
    before = open.size;
    for (const [file, all] of open) if (!all.some((to) => open.has(to))) open.delete(file);
  }
  return [...open.keys()];
}

describe('the rooms of the app', () => {
  it('are those that are named here', () => {
    const rooms = new Set([...importsOf.keys()].map(roomOf).filter((room) => room !== undefined));
    expect([...rooms].sort()).toEqual(Object.keys(MAY_IMPORT).sort());
  });

  it('are entered through their doors', () => {
    expect(between().filter(({ to }) => to !== `${roomOf(to)}/index.ts`)).toEqual([]);
  });

  it('import one way', () => {
    const upward = between().filter(({ from, to }) => {
      const room = roomOf(from);
      return room !== undefined && MAY_IMPORT[room]?.includes(roomOf(to) ?? '') !== true;
    });
    expect(upward).toEqual([]);
  });

  it('hold no circles, by types either', () => {
    expect(inCircles()).toEqual([]);
  });
});
