import { describe, expect, it } from '@jest/globals';
import { attachmentIdentity, attachmentOf } from './attachments.ts';
import { toolArguments, toolResultText, withBoundedArguments } from './tool-values.ts';
import { canonicalText } from './values.ts';

describe('tool arguments', () => {
  it.each([
    ['{"a": 1}', { a: 1 }],
    [{ a: 1 }, { a: 1 }],
    ['"{\\"a\\": 1}"', { a: 1 }],
    ['not JSON', 'not JSON'],
    ['', {}],
    [null, {}],
    [undefined, {}],
    ['{"a": ', '{"a": '],
  ])('%j are %j', (given, value) => {
    expect(toolArguments(given)).toEqual(value);
  });

  it('that nest without end become text', () => {
    const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
    expect(toolArguments(deep)).toBe(deep);
  });

  it('that hold more values than anybody gives a tool are text, however they came', () => {
    const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`k${index}`, 0]));
    expect(toolArguments(JSON.stringify(many))).toBe(JSON.stringify(many));
    expect(toolArguments(many)).toBe(canonicalText(many));
    expect(toolArguments({ list: Array<number>(9_999).fill(0) })).toEqual({ list: Array<number>(9_999).fill(0) });
  });

  it('are text from the call on that with the others of its span has too many, and values again in the next', () => {
    const given = Array<number>(9_000).fill(0);
    const read = () =>
      Array.from({ length: 7 }, (_, index) => toolArguments(index === 6 ? [0] : JSON.stringify(given)));
    for (let span = 0; span < 2; span += 1) {
      expect(withBoundedArguments(read)).toEqual([...Array<number[]>(5).fill(given), JSON.stringify(given), [0]]);
    }
  });

  it('of which the text holds more than is parsed stay as they are', () => {
    for (const text of [`[${'{"a":0},'.repeat(100_000)}{"a":0}]`, `[${'0,'.repeat(250_000)}0]`]) {
      expect(toolArguments(text)).toBe(text);
    }
  });
});

describe('tool results', () => {
  it.each([
    ['sunny', 'sunny'],
    ['{"b": 1,  "a": 2}', '{"b": 1,  "a": 2}'],
    [{ b: 1, a: 2 }, '{"a":2,"b":1}'],
    [['a', 'b'], '["a","b"]'],
    [[], '[]'],
    [
      [
        { type: 'text', text: 'one' },
        { type: 'text', text: 'two' },
      ],
      'one\ntwo',
    ],
    [{ content: [{ type: 'text', text: 'from a server' }], isError: false }, 'from a server'],
    [{ type: 'text', value: 'typed' }, 'typed'],
    [{ type: 'text', text: 'an object of its own' }, '{"text":"an object of its own","type":"text"}'],
    [true, 'true'],
    [null, ''],
    ['\ud800', '\ufffd'],
  ])('of %j are %j', (value, text) => {
    expect(toolResultText(value)).toBe(text);
  });
});

describe('attachments', () => {
  const bytes = Buffer.from('an image').toString('base64');

  it('are the same image in any form', () => {
    const forms = [
      { type: 'blob', modality: 'image', mime_type: 'image/png', content: bytes },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${bytes}` } },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: bytes } },
      { type: 'file', mediaType: 'image/png', data: bytes },
    ];
    expect(new Set(forms.map(attachmentIdentity)).size).toBe(1);
    expect(attachmentIdentity({ type: 'uri', modality: 'image', uri: 'https://example.com/a.png' })).toBe(
      attachmentIdentity({ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }),
    );
  });

  it('keep the digest of long bytes, and what they are stays the same', () => {
    const long = 'A'.repeat(100_000);
    const blob = { type: 'blob', modality: 'image', content: long };
    expect(JSON.stringify(attachmentOf(blob)).length).toBeLessThan(200);
    expect(attachmentIdentity(attachmentOf(blob))).toBe(attachmentIdentity(blob));
  });
});
