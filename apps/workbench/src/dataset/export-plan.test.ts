import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { csvText } from '../imports/csv.ts';
import {
  clewCommand,
  curlCommand,
  EXPORT_PLAN,
  exportPath,
  exportQuery,
  planProblems,
  RecordCounter,
} from './export-plan.ts';

describe('an export', () => {
  const plan = { ...EXPORT_PLAN, format: 'openai-sft', version: '3', split: 'train', ratio: '80, 10, 10' } as const;

  it('asks for what was chosen, and for nothing else', () => {
    expect(exportQuery(EXPORT_PLAN)).toEqual({ format: 'jsonl' });
    expect(exportQuery({ ...EXPORT_PLAN, ratio: '80,10,10' })).toEqual({ format: 'jsonl' });
    expect(exportQuery(plan)).toEqual({ format: 'openai-sft', version: 3, split: 'train', ratio: '80,10,10' });
  });

  it('is the same as a command and as a request', () => {
    const query = exportQuery(plan);
    expect(clewCommand('ds_1', query)).toBe(
      'clew datasets export ds_1 --format openai-sft --version 3 --split train --ratio 80,10,10 --output ds_1-train.jsonl',
    );
    const path = 'v1/projects/p/datasets/ds_1/export?format=openai-sft&version=3&split=train&ratio=80,10,10';
    expect(exportPath('p', 'ds_1', query)).toBe(path);
    expect(curlCommand('https://clew.example/', 'p', 'ds_1', query)).toContain(`"https://clew.example/${path}"`);
  });

  it('names what the API would refuse', () => {
    expect([...planProblems({ ...EXPORT_PLAN, version: '9' }, 3).keys()]).toEqual(['version']);
    expect([...planProblems({ ...plan, ratio: '80,10' }, 3).keys()]).toEqual(['ratio']);
    expect(planProblems(plan, 3).size).toBe(0);
  });
});

describe('the count of records', () => {
  const cut = (text: string, size: number) =>
    Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size));
  const counted = (format: 'jsonl' | 'csv', text: string, size: number) => {
    const counter = new RecordCounter(format);
    for (const part of cut(text, size)) counter.add(part);
    return counter.count;
  };

  it('is that of the records, wherever the file is cut', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', ' ') });
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, fc.constant('x'))), fc.integer({ min: 1, max: 9 }), (rows, size) => {
        expect(counted('csv', csvText([['h', 'x'], ...rows]), size)).toBe(rows.length);
        const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
        expect(counted('jsonl', lines, size)).toBe(rows.length);
      }),
    );
  });

  it('is none of an empty file', () => {
    expect(counted('jsonl', '', 1)).toBe(0);
    expect(counted('csv', 'id,tags\r\n', 3)).toBe(0);
  });
});
