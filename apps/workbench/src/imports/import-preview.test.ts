import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { mapped, mappingQuery, suggestedMapping } from './import-fields.ts';
import { csvPreview, formatOf, linesPreview } from './import-preview.ts';

const head = (text: string, { name = 'f', isCut = false } = {}) => ({ name, text, isCut });

describe('the form of a file', () => {
  it('is that of its name, else of its first line', () => {
    expect(formatOf(head('{"a":1}', { name: 'x.CSV' }))).toBe('csv');
    expect(formatOf(head('a;b', { name: 'x.tsv.gz' }))).toBe('csv');
    expect(formatOf(head('{"messages":[]}\n'))).toBe('openai-chat');
    expect(formatOf(head('{"preferred_output":[]}\n'))).toBe('openai-chat');
    expect(formatOf(head('{"payload":{}}\n'))).toBe('jsonl');
    expect(formatOf(head('{"payload":', { isCut: true }))).toBe('jsonl');
    expect(formatOf(head('question,answer\n'))).toBe('csv');
  });
});

describe('a mapping', () => {
  it('is suggested by the names of the columns and the type of the input', () => {
    expect(suggestedMapping(['Question', 'answer', 'Expected', 'notes'], 'prompt')).toEqual({
      Question: 'input.prompt',
      answer: 'expectedOutput.text',
    });
    expect(suggestedMapping(['text', 'label'], 'text')).toEqual({ text: 'input.text', label: 'expectedOutput.label' });
  });

  it('never fills a field from two columns', () => {
    const before = { a: 'input.text', b: 'tags' } as const;
    expect(mapped(before, 'b', 'input.text')).toEqual({ b: 'input.text' });
    expect(mapped(before, 'a', undefined)).toEqual({ b: 'tags' });
    fc.assert(
      fc.property(fc.array(fc.string()), (names) => {
        const fields = Object.values(suggestedMapping([...names, 'input', 'text', 'question'], 'text'));
        expect(new Set(fields).size).toBe(fields.length);
      }),
    );
  });

  it('is not sent where the columns are fields already', () => {
    expect(mappingQuery(['input.text', 'tags'], { 'input.text': 'input.text', tags: 'tags' })).toBeUndefined();
    expect(mappingQuery(['q', 'tags'], { q: 'input.text' })).toBe('{"q":"input.text"}');
  });
});

describe('the preview of a CSV', () => {
  const mapping = { q: 'input.prompt', a: 'expectedOutput.text', m: 'input.messages' } as const;

  it('shows what the mapping makes of each row', () => {
    expect(csvPreview(head('q,a,x\nWhy?,So.,1\n'), 'comma', { q: 'input.prompt', a: 'expectedOutput.text' })).toEqual([
      { line: 2, input: 'Why?', expected: 'So.', rejected: '', tags: '' },
    ]);
  });

  it('names what would be refused', () => {
    const problems = (text: string) => csvPreview(head(text), 'comma', mapping).map(({ problem }) => problem);
    expect(problems('q,a\nWhy?\n')).toEqual(['has 1 fields where the header has 2']);
    expect(problems('q,a\n,So.\n')).toEqual(['no column fills the input']);
    expect(problems('m,a\n[{,So.\n')).toEqual(['input.messages is not JSON']);
  });

  it('reads the words of messages, and leaves out a row that was cut', () => {
    const cell = '"[{""role"":""user"",""content"":""Hi""}]"';
    const rows = csvPreview(head(`m,a\n${cell},yes\n${cell},n`, { isCut: true }), 'comma', mapping);
    expect(rows).toEqual([{ line: 2, input: 'Hi', expected: 'yes', rejected: '', tags: '' }]);
  });
});

describe('the preview of lines', () => {
  it('shows Examples of Clew', () => {
    const line = JSON.stringify({
      payload: { input: { type: 'text', text: 'Hi' }, expectedOutput: { type: 'classification', label: 'greeting' } },
      tags: ['a', 'b'],
    });
    expect(linesPreview(head(`${line}\n\nx\n{}`), 'jsonl')).toEqual([
      { line: 1, input: 'Hi', expected: 'greeting', rejected: '', tags: 'a, b' },
      { line: 3, input: '', expected: '', rejected: '', tags: '', problem: 'is not a JSON object' },
      { line: 4, input: '', expected: '', rejected: '', tags: '', problem: 'has no payload with an input' },
    ]);
  });

  it('shows fine-tuning lines, supervised and of preferences', () => {
    const user = { role: 'user', content: 'Hi' };
    const answer = (content: string) => ({ role: 'assistant', content });
    const lines = [
      { messages: [user, answer('Hello')] },
      { messages: [user] },
      { input: { messages: [user] }, preferred_output: [answer('Yes')], non_preferred_output: [answer('No')] },
    ];
    const rows = linesPreview(head(lines.map((line) => JSON.stringify(line)).join('\n')), 'openai-chat');
    expect(rows.map(({ input, expected, rejected, problem }) => [input, expected, rejected, problem])).toEqual([
      ['Hi', 'Hello', '', undefined],
      ['Hi', '', '', 'does not end with a message of the assistant'],
      ['Hi', 'Yes', 'No', undefined],
    ]);
  });

  it('never fails, whatever the lines hold', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.boolean(), (values, isCut) => {
        const text = values.map((value) => JSON.stringify({ payload: { input: value }, messages: value })).join('\n');
        linesPreview(head(text, { isCut }), 'jsonl');
        linesPreview(head(text, { isCut }), 'openai-chat');
      }),
    );
  });
});
