import { describe, expect, it } from '@jest/globals';
import { quickActionsIn } from '@clew/testing/issue-trackers';
import fc from 'fast-check';
import { hostileText } from '../test-support/hostile-text.ts';
import { nodesOf, parseMarkdown, textOf } from '../test-support/markdown-nodes.ts';
import { toAdf } from './adf.ts';
import { cleanedLine } from './clean.ts';
import { toMarkdown } from './markdown.ts';
import type { Block, Span } from './rich-text.ts';

const URL = 'https://clew.example/findings/fnd_1';
const styled = fc.oneof(
  hostileText,
  hostileText.map((text): Span => ({ text, style: 'strong' })),
  hostileText.map((text): Span => ({ text, style: 'code' })),
  hostileText.map((text): Span => ({ text: `Link ${text}`, href: URL })),
);
const spans = fc.array(styled, { minLength: 1, maxLength: 5 });

/** Text without the characters that take references apart. */
const shown = (text: string) => text.replaceAll('\u200b', '');

describe('a line of Markdown, whatever is in it', () => {
  it('is one paragraph, which reads as it was written', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const markdown = toMarkdown([{ kind: 'paragraph', spans: [text] }]);
        const tree = parseMarkdown(markdown);
        const line = cleanedLine(text, 800);
        expect(tree.children?.map(({ type }) => type)).toEqual(line === '' ? [] : ['paragraph']);
        expect(nodesOf(tree, 'text')).toHaveLength(line === '' ? 0 : 1);
        expect(shown(textOf(tree))).toBe(line);
        expect(quickActionsIn(markdown)).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });

  it('has the spans that were meant, and no others', () => {
    fc.assert(
      fc.property(spans, (given) => {
        const tree = parseMarkdown(toMarkdown([{ kind: 'paragraph', spans: ['Begins: ', ...given] }]));
        const links = given.filter((span) => typeof span !== 'string' && 'href' in span);
        expect(tree.children?.map(({ type }) => type)).toEqual(['paragraph']);
        expect(nodesOf(tree, 'link').map(({ url }) => url)).toEqual(links.map(() => URL));
        for (const type of ['html', 'image', 'emphasis', 'delete', 'break', 'footnoteReference']) {
          expect(nodesOf(tree, type)).toEqual([]);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('is an item of its list, and nothing else', () => {
    fc.assert(
      fc.property(fc.array(hostileText, { minLength: 1, maxLength: 5 }), fc.boolean(), (items, ordered) => {
        const block: Block = { kind: 'list', ordered, items: items.map((item) => [`Item ${item}`]) };
        const tree = parseMarkdown(toMarkdown([block]));
        expect(tree.children?.map(({ type }) => type)).toEqual(['list']);
        expect(tree.children?.[0]?.children?.map(({ children }) => children?.map(({ type }) => type))).toEqual(
          items.map(() => ['paragraph']),
        );
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    '/close',
    '# Heading',
    '- item',
    '+ item',
    '* item',
    '1. item',
    '12) item',
    '> quote',
    '=== ',
    '--- ',
    '::include{file=x}',
    '    code',
  ])('is text where it begins with %j', (text) => {
    const [only] = parseMarkdown(toMarkdown([{ kind: 'paragraph', spans: [text] }])).children ?? [];
    expect([only?.type, shown(textOf(only ?? { type: '' }))]).toEqual(['paragraph', text.trim()]);
  });
});

describe('code in a line', () => {
  it('shows what was given, in one line', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const tree = parseMarkdown(toMarkdown([{ kind: 'paragraph', spans: ['In ', { text, style: 'code' }, ' it'] }]));
        const line = cleanedLine(text, 800);
        expect(nodesOf(tree, 'inlineCode').map(({ value }) => value)).toEqual(line === '' ? [] : [line]);
      }),
      { numRuns: 500 },
    );
  });
});

describe('a link', () => {
  it('leads to http and https only', () => {
    const block: Block = { kind: 'paragraph', spans: [{ text: 'Link', href: 'javascript:alert(1)' }] };
    expect(() => toMarkdown([block])).toThrow(TypeError);
    expect(() => toAdf([block])).toThrow(TypeError);
  });

  it('cannot be left by its address', () => {
    const href = 'https://clew.example/a)b>c<d "e" [f](g)';
    const tree = parseMarkdown(toMarkdown([{ kind: 'paragraph', spans: [{ text: 'Link', href }] }]));
    expect(nodesOf(tree, 'link')).toHaveLength(1);
    expect(textOf(tree)).toBe('Link');
  });
});
