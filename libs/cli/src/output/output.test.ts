import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fakeIo, NOW_MS } from '../test-support/fake-io.ts';
import { column, forPeople, humanBytes, minor, relativeTime, type Column } from './cells.ts';
import { createOutput } from './output.ts';
import { drawTable, tsvOf } from './table.ts';
import { cutTo, printable, widthOf, wrapped } from './text.ts';
import { styleOf } from './style.ts';

interface Row {
  id: string;
  at: number;
  title: string;
}
const COLUMNS: readonly Column<Row>[] = [
  column('ID', ({ id }) => id),
  column('SEEN', ({ at }) => ({ at })),
  column('TITLE', ({ title }) => ({ text: title, colour: 'red', url: 'https://clew.test/1' })),
];
const row = { id: 'fnd_1', at: NOW_MS - 7_200_000, title: 'A title that is much longer than the terminal is wide' };

describe('a table on a terminal', () => {
  const plain = styleOf({ isTerminal: false, columns: () => 0, write: () => Promise.resolve() }, { env: {} });

  it('is never wider than it, and cuts the widest column', () => {
    const drawn = drawTable([row], COLUMNS, { style: plain, width: 40, nowMs: NOW_MS });
    expect(drawn).toBe('ID     SEEN     TITLE\nfnd_1  2 h ago  A title that is much lo…\n');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 36, max: 200 }), (title, width) => {
        const lines = drawTable([{ ...row, title }], COLUMNS, { style: plain, width, nowMs: NOW_MS }).split('\n');
        for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width);
        expect(lines).toHaveLength(3);
      }),
    );
  });

  it('goes without minor columns where words would get too little room, the last one first', () => {
    type Row = Record<'id' | 'state' | 'count' | 'title', string>;
    const columns: readonly Column<Row>[] = [
      column('ID', ({ id }) => id),
      minor('STATE', ({ state }) => state),
      minor('COUNT', ({ count }) => count),
      column('TITLE', ({ title }) => title),
    ];
    const titlesAt = (width: number, title = 'a title that says what happened to whom, and when') => {
      const rows = [{ id: 'fnd_1234567890', state: 'unresolved', count: '12345', title }];
      return drawTable(rows, columns, { style: plain, width, nowMs: NOW_MS }).split('\n')[0]?.split(/ +/);
    };
    expect(titlesAt(100)).toEqual(['ID', 'STATE', 'COUNT', 'TITLE']);
    expect(titlesAt(64)).toEqual(['ID', 'STATE', 'TITLE']);
    expect(titlesAt(54)).toEqual(['ID', 'TITLE']);
    expect(titlesAt(54, 'a short title')).toEqual(['ID', 'STATE', 'COUNT', 'TITLE']);
  });

  it('has colours and links, unless NO_COLOR or CI say otherwise', async () => {
    const outputOf = async (env: Record<string, string>) => {
      const io = fakeIo({ isTerminal: true, env });
      await createOutput(io, 'people').rows([row], COLUMNS, undefined);
      return io.out();
    };
    expect(await outputOf({})).toContain('\u001b]8;;https://clew.test/1\u001b\\\u001b[31m');
    for (const env of [{ NO_COLOR: '1' }, { CI: 'true' }, { TERM: 'dumb' }]) {
      expect(await outputOf(env as unknown as Record<string, string>)).not.toContain('\u001b');
    }
  });

  it('lets no text of a stranger control it', async () => {
    const io = fakeIo({ isTerminal: true, env: { NO_COLOR: '1' } });
    const title = 'a\u001b]0;owned\u0007b\u009b31mc\u202ed\rline';
    await createOutput(io, 'people').rows([{ ...row, title }], COLUMNS, undefined);
    await createOutput(io, 'people').record({ ...row, title }, COLUMNS, [{ title, text: title }]);
    // eslint-disable-next-line no-control-regex -- Control characters are what must not be there.
    expect(io.out()).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  });
});

describe('rows for a pipe', () => {
  it('have tabs between fields, one line each, ISO times, nothing cut and no colour', () => {
    const title = `tab\there\nand \\ ${'x'.repeat(300)}`;
    expect(tsvOf([{ ...row, title }], COLUMNS)).toBe(
      `fnd_1\t2026-11-27T10:00:00.000Z\ttab\\there\\nand \\\\ ${'x'.repeat(300)}\n`,
    );
  });

  it('keep their number of fields whatever the texts are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (title) => {
        const lines = tsvOf([{ ...row, title }], COLUMNS).split('\n');
        expect([lines.length, lines[0]?.split('\t').length]).toEqual([2, 3]);
      }),
    );
  });
});

describe('a record for a pipe', () => {
  it('has a line for each field and each longer text, whatever lines the texts have', async () => {
    const io = fakeIo({});
    const passages = [{ text: 'what it is' }, { title: '#1 user', text: 'first\nID\tforged' }];
    await createOutput(io, 'tsv').record(row, COLUMNS.slice(0, 1), passages);
    expect(io.out()).toBe('ID\tfnd_1\nTEXT\twhat it is\n#1 user\tfirst\\nID\\tforged\n');
  });
});

describe('values for people', () => {
  it('are short', () => {
    expect([500, 12_300, 1_500_000_000].map(humanBytes)).toEqual(['500 B', '12.3 kB', '1.5 GB']);
    expect([0, 59_000, 90_000, 86_400_000 * 40].map((ago) => relativeTime(NOW_MS - ago, NOW_MS))).toEqual([
      ...['now', '59 s ago', '1 min ago', '1 mo ago'],
    ]);
    expect(relativeTime(NOW_MS + 3_600_000, NOW_MS)).toBe('in 1 h');
    expect([null, undefined, true, { words: [] }].map((cell) => forPeople(cell, NOW_MS))).toEqual([
      '-',
      '-',
      'yes',
      '-',
    ]);
  });

  it('break between words, and go on below the words of their line', () => {
    expect(wrapped('Look at why it fails\n- one two three four\n{"a": 1}', 12).split('\n')).toEqual([
      ...['Look at why', 'it fails', '- one two', '  three four', '{"a": 1}'],
    ]);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 5, max: 40 }), (text, width) => {
        const lines = wrapped(text, width).split('\n');
        const wordsIn = (value: string) => value.split(/[ \n]+/).filter((word) => word !== '');
        expect(wordsIn(lines.join('\n'))).toEqual(wordsIn(text));
        for (const line of lines) expect(widthOf(line) <= width || wordsIn(line).length <= 2).toBe(true);
      }),
    );
  });

  it('count wide characters twice and marks not at all', () => {
    expect([widthOf('abc'), widthOf('日本'), widthOf('e\u0301'), widthOf('😀')]).toEqual([3, 4, 1, 2]);
    expect(cutTo('日本語', 4)).toBe('日…');
    expect(printable('a\tb\nc')).toBe('a\tb\nc');
  });
});
