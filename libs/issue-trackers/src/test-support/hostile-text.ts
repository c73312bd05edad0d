import fc from 'fast-check';

/** Marker of another work item, which a text must not be able to claim. */
export const OTHER_MARKER = 'wi_01JZ6PVG2RN4RBGAHEQ5XQ2SC9';

/** Texts that mean something to Markdown, or to GitHub, GitLab, Jira or Linear. */
const PIECES: readonly string[] = [
  ...['@alice', '@acme/team', '@all', 'bob@acme.example', '&#64;alice', '&commat;alice', '[~accountid:5b10]'],
  ...['#1', 'acme/shop#1', 'GH-1', 'gh-12', 'fixes #12', 'closes GH-1', '!7', '$12', '&4', '%"v1"', '~bug', '^alert#1'],
  ...[
    'resolves https://github.com/acme/shop/issues/1',
    'http://evil.example/',
    'www.evil.example',
    'www.1evil.com',
    'evil.com',
    'evil.example/x',
  ],
  ...[
    'https://gitlab.com/acme/shop/-/issues/7',
    'https://linear.app/acme/issue/ENG-1',
    'ENG-123',
    'SHOP-7',
    'mailto:a@b.example',
  ],
  ...[
    '/close',
    '\n/close\n',
    '\n/duplicate #1\n',
    '/assign @alice',
    '\n```\n/close\n',
    '````',
    '~~~',
    '`',
    '``',
    '>>>\n/close\n>>>',
  ],
  ...[
    '<script>alert(1)</script>',
    '<img src=x onerror=y>',
    '<http://evil.example>',
    '<details>',
    '<!--',
    '-->',
    '<b',
    '&lt;i&gt;',
  ],
  ...[`<!-- clew:${OTHER_MARKER} -->`, `\n<!-- clew:${OTHER_MARKER} -->\n`, `clew:${OTHER_MARKER}`],
  ...[
    '![x](http://evil.example/x.png)',
    '[x](http://evil.example)',
    '[x]: http://evil.example',
    '[x][1]',
    '[^1]',
    '[^1]: note',
  ],
  ...[
    '# Heading',
    '\n## Heading\n',
    'Heading\n===',
    '---',
    '- item',
    '1. item',
    '> quote',
    '\n> quote\n',
    '    code',
    '\t',
  ],
  ...[
    '| a | b |\n|---|---|\n| c | d |',
    '**bold**',
    '__x__',
    '~~x~~',
    '$x$',
    '$`x`$',
    ':tada:',
    '[[Page]]',
    '[issue:1]',
    '[ ] task',
  ],
  ...[
    '::include{file=x.md}',
    '```mermaid\ngraph\n```',
    '\\',
    '\\@alice',
    'deadbeef1234567',
    'a'.repeat(40),
    '{{x}}',
    '*iteration:"x"',
  ],
  ...[
    '\u0000',
    '\u001b[31m',
    '\u202e',
    '\u200b',
    '\u2028',
    '\ufeff',
    '\ud800',
    '\u{e0041}',
    '\r\n',
    '\n',
    ' ',
    '  \n',
    '…',
    '😀',
  ],
];

const PIECE = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...PIECES) },
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ maxLength: 8 }),
);

/** Text of a conversation that tries everything at once. */
export const hostileText: fc.Arbitrary<string> = fc
  .array(PIECE, { maxLength: 14 })
  .chain((pieces) => fc.constantFrom('', ' ', '\n').map((between) => pieces.join(between)));
