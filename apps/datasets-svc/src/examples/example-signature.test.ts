import { describe, expect, it } from '@jest/globals';
import type { ExamplePayload } from '@clew/contracts';
import { exampleSignature } from './example-signature.ts';

describe('the signature of an Example', () => {
  it.each<[string, ExamplePayload, ExamplePayload]>([
    ['case and punctuation', text('Hello, dear World: how are you?'), text('hello dear world — HOW are you')],
    [
      'width and composition of characters',
      text('ＡＢＣ café naïve piñata'),
      text('abc cafe\u0301 nai\u0308ve pin\u0303ata'),
    ],
    ['a system message', chat('be kind', 'where is my order'), chat('be very brief', 'where is my order')],
  ])('does not see a difference in %s', (_, left, right) => {
    expect(exampleSignature(left)).toEqual(exampleSignature(right));
  });

  it.each<[string, ExamplePayload, ExamplePayload]>([
    ['an expected output', text('same'), { ...text('same'), expectedOutput: { type: 'text', text: 'other' } }],
    ['a word of a short text', text('yes'), text('no')],
    ['characters where there is no word', text('?!'), text('...')],
    ['a number within JSON', json({ a: { b: [1, 2, 3] } }), json({ a: { b: [1, 2, 4] } })],
    ['the name of a member', json({ first: 1 }), json({ second: 1 })],
    ['characters of a script without spaces', text('我想取消我的订单'), text('我想取消我的预约')],
  ])('sees a difference in %s', (_, left, right) => {
    expect(exampleSignature(left)).not.toEqual(exampleSignature(right));
  });

  it('stays what it is: stored ones were made the same way', () => {
    const signature = Buffer.from(exampleSignature(text('The quick brown fox jumps over the lazy dog')));
    expect(signature.toString('hex')).toMatchInlineSnapshot(
      `"6e68745c2fb7b92c9640d7453dc67cd9ada623b209be123476765bc1f233d6e1cda4fccfdb479a367b3608a35bc155262f9bd2ba6afab09fff24eed4331b612b"`,
    );
  });
});

function text(content: string): ExamplePayload {
  return { input: { type: 'text', text: content } };
}

function json(value: object): ExamplePayload {
  return { input: { type: 'json', value } };
}

function chat(system: string, user: string): ExamplePayload {
  const messages = [
    { role: 'system' as const, content: system },
    { role: 'user' as const, content: user },
  ];
  return { input: { type: 'chat', messages } };
}
