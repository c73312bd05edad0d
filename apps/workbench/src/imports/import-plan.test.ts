import { expect, it } from '@jest/globals';
import { importQuery, planOf, previewOf, withDelimiter } from './import-plan.ts';

const head = { name: 'cases.csv', text: 'question;answer\nWhy?;So.\n', isCut: false };

it('plans a file by its beginning, asks for it so, and shows what comes of it', () => {
  const plan = planOf(head, 'prompt');
  expect(plan).toMatchObject({ format: 'csv', delimiter: 'semicolon', conflict: 'skip' });
  expect(importQuery(head, plan)).toEqual({
    ...{ format: 'csv', delimiter: 'semicolon', onConflict: 'skip' },
    mapping: '{"question":"input.prompt","answer":"expectedOutput.text"}',
  });
  expect(previewOf(head, plan)[0]).toMatchObject({ input: 'Why?', expected: 'So.' });
});

it('looks at the columns anew with another delimiter', () => {
  expect(withDelimiter(planOf(head, 'text'), head, 'comma', 'text').mapping).toEqual({});
});

it('asks for nothing that only a CSV has, and for both of two that are alike', () => {
  const lines = { name: 'x.jsonl', text: '{"messages":[]}', isCut: false };
  const plan = { ...planOf(lines, 'chat'), conflict: 'keep' } as const;
  expect(importQuery(lines, plan)).toEqual({ format: 'openai-chat' });
});
