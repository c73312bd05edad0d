import { createHash } from 'node:crypto';
import { markup, type Html } from './html.ts';

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { margin: 0; min-height: 100vh; display: grid; place-items: center }
main { box-sizing: border-box; width: min(26rem, 100%); padding: 2rem 1.25rem }
h1 { font-size: 1.4rem; margin: 0 0 1rem }
label { display: block; margin: 0 0 1rem; font-weight: 600 }
input, select { display: block; box-sizing: border-box; width: 100%; margin-top: .25rem; padding: .6rem; font: inherit }
.button { display: block; margin: 0 0 .75rem; padding: .6rem 1.2rem; font-weight: 600; border: 1px solid }
button { padding: .6rem 1.2rem; font: inherit; font-weight: 600; cursor: pointer }
:focus-visible { outline: 3px solid #2563eb; outline-offset: 2px }
.problem { border-left: 4px solid #dc2626; padding: .25rem .75rem; margin: 0 0 1rem }
.hint { font-weight: 400; font-size: .9rem; margin: .25rem 0 0 }
code { overflow-wrap: anywhere }
`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');
/** The style holds no character that is escaped, so that its hash is that of the constant. */
const STYLE_ELEMENT = markup`<style>${STYLE}</style>`;

/**
 * Headers of all that a browser shows: nothing is taken for another type, no frame is around it, and the address stays
 * within the origin.
 */
export const SHOWN_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
};

/**
 * Headers of every page: no script, nothing from elsewhere, no frame around it. The referrer stays within the origin
 * and is not forbidden: without any, a browser sends `Origin: null` with a form, which is refused.
 */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
  ...SHOWN_HEADERS,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** Whole page with a title, which is also its heading. */
export function layout(title: string, content: Html): Html {
  return markup`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Clew</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html> `;
}
