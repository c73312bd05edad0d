import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { visiblePieces, visibleText } from './visible-text.ts';

const HOSTILE = [
  '\u202e',
  '\u2066',
  '\u200b',
  '\u200d',
  '\u200f',
  '\ufeff',
  '\u0000',
  '\u001b',
  '\u00ad',
  '\u{e0041}',
  '\u2028',
];
const hostileText = fc
  .array(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...HOSTILE, '👩', '💻', '\n', '\t')))
  .map((parts) => parts.join(''));

describe('hidden characters', () => {
  it('are named in their place', () => {
    expect(visiblePieces('a\u202eb')).toEqual([
      { kind: 'text', text: 'a' },
      { kind: 'hidden', text: '\u202e', name: 'right-to-left override' },
      { kind: 'text', text: 'b' },
    ]);
    expect(visibleText('pay\u200bpal \u{e0049}')).toBe('pay⟨U+200B⟩pal ⟨U+E0049⟩');
  });

  it('leave line breaks, tabs and families alone', () => {
    const text = 'a\n\tb\r\n👩‍💻 👨🏽‍🚀 ❤️‍🔥 नमस्ते שלום';
    expect(visiblePieces(text)).toEqual([{ kind: 'text', text }]);
  });

  it('are found between letters, where a joiner hides', () => {
    expect(visibleText('pass\u200dword')).toBe('pass⟨U+200D⟩word');
  });

  it('joined with the text give the text again', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(
          visiblePieces(text)
            .map((piece) => piece.text)
            .join(''),
        ).toBe(text);
      }),
    );
  });

  it('never stay in what is shown as text', () => {
    const { length } = HOSTILE;
    fc.assert(
      fc.property(hostileText, (text) => {
        for (const piece of visiblePieces(text)) {
          if (piece.kind === 'hidden') continue;
          expect(piece.text).not.toBe('');
          for (let at = 0; at < length; at += 1) {
            const character = HOSTILE[at] ?? '';
            // A joiner stays between two pictures only.
            if (character !== '\u200d') expect(piece.text).not.toContain(character);
          }
        }
      }),
    );
  });

  it('take linear time', () => {
    const text = '\u200d\u202e👩'.repeat(200_000);
    expect(visiblePieces(text).length).toBeGreaterThan(100_000);
  });
});
