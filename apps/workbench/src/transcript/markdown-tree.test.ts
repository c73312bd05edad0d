import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { markdownTree, MAX_MARKDOWN, type MarkdownNode } from './markdown-tree.ts';

const KINDS = ['text', 'code-span', 'markup', 'code', 'break', 'rule', 'strong', 'em', 'del', 'paragraph', 'quote'];
const ALL_KINDS = new Set([...KINDS, 'heading', 'link', 'list', 'table']);

/** All parts of a tree. */
function partsOf(nodes: readonly MarkdownNode[]): MarkdownNode[] {
  return nodes.flatMap((node) => {
    if ('children' in node) return [node, ...partsOf(node.children)];
    if (node.kind === 'list') return [node, ...node.items.flatMap(({ children }) => partsOf(children))];
    return node.kind === 'table' ? [node, ...node.rows.flat().flatMap((cell) => partsOf(cell))] : [node];
  });
}

const read = (text: string) => partsOf(markdownTree(text) ?? []);
const textOf = (text: string) => read(text).flatMap((part) => ('text' in part ? [part.text] : []));
const linksOf = (text: string) =>
  read(text).flatMap((part) => (part.kind === 'link' ? [[part.href, part.host, part.isImage]] : []));

describe('a Markdown text', () => {
  it('becomes parts that may be shown', () => {
    expect(markdownTree('# Refund\n\nIt is **done**, see `order 17`.')).toEqual([
      { kind: 'heading', level: 1, children: [{ kind: 'text', text: 'Refund' }] },
      {
        kind: 'paragraph',
        children: [
          { kind: 'text', text: 'It is ' },
          { kind: 'strong', children: [{ kind: 'text', text: 'done' }] },
          { kind: 'text', text: ', see ' },
          { kind: 'code-span', text: 'order 17' },
          { kind: 'text', text: '.' },
        ],
      },
    ]);
  });

  it('keeps lists, tables and code', () => {
    const kinds = read('1. a\n2. b\n\n- [x] done\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```sql\nselect 1\n```').map(
      ({ kind }) => kind,
    );
    expect(kinds).toEqual(expect.arrayContaining(['list', 'table', 'code']));
  });

  it('shows entities as the signs that they stand for, and not as markup', () => {
    expect(textOf('&lt;b&gt; &amp; &#39;')).toEqual(["<b> & '"]);
  });
});

describe('what strangers write', () => {
  it.each([
    ['<script>alert(1)</script>', '<script>alert(1)</script>'],
    ['before <img src=x onerror=alert(1)> after', '<img src=x onerror=alert(1)>'],
    ['<iframe srcdoc="<script>alert(1)</script>"></iframe>', 'iframe'],
  ])('%s stays words', (text, shown) => {
    expect(textOf(text).join('')).toContain(shown);
  });

  it('leads nowhere but to http and https, and says where', () => {
    expect(linksOf('[a](javascript:alert(1))')).toEqual([[undefined, 'javascript:alert(1)', false]]);
    expect(linksOf('[a](data:text/html,x)')).toEqual([[undefined, 'data:text/html,x', false]]);
    expect(linksOf('[clew.dev](https://far.example/a)')).toEqual([['https://far.example/a', 'far.example', false]]);
    expect(linksOf('[a](https://user:word@far.example/)')[0]?.[0]).toBeUndefined();
    expect(linksOf('[a](/v1/projects)')[0]?.[0]).toBeUndefined();
  });

  it('loads no image: it is a link', () => {
    expect(linksOf('![secret](https://far.example/x.png?q=secret)')).toEqual([
      ['https://far.example/x.png?q=secret', 'far.example', true],
    ]);
  });

  it('is bounded in length and depth', () => {
    expect(markdownTree('a'.repeat(MAX_MARKDOWN + 1))).toBeUndefined();
    const deep = markdownTree('>'.repeat(2_000) + ' deep');
    expect(deep === undefined || depthOf(deep) < 30).toBe(true);
  });

  it('never becomes a part of another kind, or a link to elsewhere', () => {
    const pieces = ['<a href="javascript:1">', '[x](', ')', 'javascript:', '**', '`', '\n', '> ', '- ', '|', '![', ']'];
    const written = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string())).map((all) => all.join(''));
    fc.assert(
      fc.property(written, (text) => {
        for (const part of read(text)) {
          expect(ALL_KINDS).toContain(part.kind);
          if (part.kind === 'link' && part.href !== undefined) expect(part.href).toMatch(/^https?:\/\//);
        }
      }),
    );
  });
});

function depthOf(nodes: readonly MarkdownNode[]): number {
  return Math.max(0, ...nodes.map((node) => 1 + ('children' in node ? depthOf(node.children) : 0)));
}
