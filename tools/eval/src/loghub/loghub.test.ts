import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { evaluateLoghub } from './evaluate-loghub.ts';
import { groupingAccuracy } from './grouping-accuracy.ts';
import { readCsv } from './read-csv.ts';

describe('grouping accuracy', () => {
  it('counts an item only where its group holds all of its kind and nothing else', () => {
    const items = (pairs: string) => pairs.split(' ').map(([given = '', known = '']) => ({ given, known }));
    expect(groupingAccuracy(items('aA aA bB'))).toBe(1);
    // One true group split into two: none of its items is right.
    expect(groupingAccuracy(items('aA bA cC'))).toBeCloseTo(1 / 3);
    // Two true groups merged into one: none of their items is right.
    expect(groupingAccuracy(items('aA aB cC cC'))).toBe(0.5);
  });
});

describe('CSV', () => {
  it('gives back what was written, whatever the fields hold', () => {
    const field = fc.string({ unit: fc.constantFrom('a', ' ', ',', '"', '\n', '\r', 'é', '😀') });
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
    fc.assert(
      fc.property(fc.array(fc.tuple(field, field)), fc.constantFrom('\n', '\r\n'), (rows, lineEnd) => {
        const text = [['Content', 'EventId'], ...rows].map((row) => row.map(quoted).join(',')).join(lineEnd);
        expect(readCsv(text)).toEqual(rows.map(([Content, EventId]) => ({ Content, EventId })));
      }),
    );
  });

  it('reads fields without quotes, and refuses what is none', () => {
    expect(readCsv('Content,EventId\nopened 5,E1\n"a ""b"", c",E2\n')).toEqual([
      { Content: 'opened 5', EventId: 'E1' },
      { Content: 'a "b", c', EventId: 'E2' },
    ]);
    expect(() => readCsv('a,b\n"open')).toThrow('character 4');
  });
});

it('a folder of systems gives the accuracy of each, and their mean', () => {
  const folder = mkdtempSync(join(tmpdir(), 'systems-'));
  const write = (system: string, rows: readonly string[]) => {
    mkdirSync(join(folder, system));
    const file = join(folder, system, `${system}_2k.log_structured.csv`);
    writeFileSync(file, ['LineId,Content,EventId,EventTemplate', ...rows].join('\n'));
  };
  try {
    write('Kettle', [
      '1,Boiled 300 ml in 41 s,E1,x',
      '2,Boiled 1200 ml in 88 s,E1,x',
      '3,"Lid ""7"" open, waiting",E2,x',
    ]);
    // Identical words for two kinds of events: no masking can tell them apart.
    write('Toaster', ['1,Slot 1 ready,E1,x', '2,Slot 2 ready,E2,x', '3,Crumbs found,E3,x', '4,Crumbs found,E3,x']);
    mkdirSync(join(folder, 'docs'));
    expect(evaluateLoghub(folder)).toEqual({
      systems: 2,
      meanGroupingAccuracy: 0.75,
      bySystem: { Kettle: 1, Toaster: 0.5 },
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
