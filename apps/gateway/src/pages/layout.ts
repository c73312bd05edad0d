import { createHash } from 'node:crypto';
import { markup, type Html } from './html.ts';

/** Look of the Workbench, whose tokens these are (`apps/workbench/src/styles.css`). */
const STYLE = `
:root {
  color-scheme: light dark; font: 15px/1.5 Inter, system-ui, sans-serif;
  --canvas: light-dark(#faf9f6, #121412); --surface: light-dark(#ffffff, #191b19); --line: light-dark(#e5e2da, #2b2f2b);
  --strong: light-dark(#8b877c, #6d736c); --ink: light-dark(#1b1d1a, #e8e8e3); --muted: light-dark(#5c6059, #a2a69e);
  --accent: light-dark(#1f5c52, #7cc4b5); --on-accent: light-dark(#ffffff, #0d1a17);
  --critical: light-dark(#a3122b, #ff8d96); --focus: light-dark(#1d6fe0, #7db0ff);
}
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--canvas); color: var(--ink) }
main { box-sizing: border-box; width: min(26rem, 100% - 2rem); margin: 2rem 0; padding: 1.75rem 2rem 1.5rem;
  background: var(--surface); border: 1px solid var(--line); border-radius: 10px }
.brand { display: flex; align-items: center; gap: .5rem; margin: 0 0 1.25rem; font-weight: 600; color: var(--muted) }
.brand svg { width: 1.5rem; height: 1.5rem }
h1 { font-size: 1.35rem; line-height: 1.3; margin: 0 0 1rem }
a { color: var(--accent) }
label { display: block; margin: 0 0 1rem; font-weight: 600 }
input, select { display: block; box-sizing: border-box; width: 100%; margin-top: .25rem; padding: .55rem .65rem; font: inherit;
  color: inherit; background: var(--canvas); border: 1px solid var(--strong); border-radius: 6px }
button, .button { display: block; box-sizing: border-box; width: 100%; margin: 0 0 .75rem; padding: .6rem 1.2rem; font: inherit;
  font-weight: 600; text-align: center; text-decoration: none; border: 1px solid var(--accent); border-radius: 6px; cursor: pointer }
button { color: var(--on-accent); background: var(--accent) }
button[value=deny] { color: var(--ink); background: none; border-color: var(--strong) }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px }
.problem { border-left: 4px solid var(--critical); padding: .25rem .75rem; margin: 0 0 1rem }
.hint { font-weight: 400; font-size: .9rem; color: var(--muted); margin: .25rem 0 0 }
code { overflow-wrap: anywhere }
`;

/** Sign of the product, as it stands in the tab of the Workbench. */
const MARK = markup`<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="7" fill="#1f4d46" /><path
  d="M22.5 11.2a8 8 0 1 0 0 9.6M19 13.7a4 4 0 1 0 0 4.6M19 18.3c1.5 2.3 4.2 3.2 7.5 2.7"
  fill="none" stroke="#f3efe4" stroke-width="2.4" stroke-linecap="round" /></svg>`;

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
          <p class="brand">${MARK} Clew</p>
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html> `;
}
