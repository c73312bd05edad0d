import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { form } from './forms.ts';
import { markup } from './html.ts';
import { layout, PAGE_HEADERS } from './layout.ts';

/** Removes the tags of the template itself; what is left is the text of the value. */
const inner = (page: string) => page.slice(page.indexOf('<p>') + 3, page.lastIndexOf('</p>'));

describe('a page', () => {
  it('holds a text as text, in an element and in an attribute', () => {
    const text = fc.string({ unit: fc.constantFrom('<', '>', '"', "'", '&', 'a', ' ', '=', '/', 'script') });
    fc.assert(
      fc.property(text, (value) => {
        const shown = markup`<p>${value}</p>`.toString();
        expect(inner(shown)).not.toMatch(/[<>"']/);
        expect(inner(shown).replace(/&lt;|&gt;|&quot;|&#39;|&amp;/g, '')).not.toContain('&');
        expect(markup`<a title="${value}">`.toString()).toBe(`<a title="${inner(shown)}">`);
      }),
      { numRuns: 200 },
    );
  });

  it('keeps pieces of HTML, and joins lists of both', () => {
    expect(markup`<ul>${['<a>', markup`<b>${'&'}</b>`, 3, undefined]}</ul>`.toString()).toBe(
      '<ul>&lt;a&gt;<b>&amp;</b>3</ul>',
    );
  });

  it('takes nothing for HTML that only looks like it', () => {
    const lookalike = { toString: () => '<script>' } as unknown as string;
    expect(() => markup`${lookalike}`.toString()).toThrow();
  });

  it('runs no script, and has the one style that its headers allow', () => {
    const page = layout('Sign in', form({ action: '/x', fields: [], button: '<b>', problem: '<script>' })).toString();
    const style = /<style>([^<]*)<\/style>/.exec(page)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    const policy = PAGE_HEADERS['content-security-policy'] ?? '';
    expect(policy).toContain(`style-src 'sha256-${hash}'`);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('script');
    expect(page).not.toContain('<script');
    // Without a referrer, browsers send `Origin: null` with a form.
    expect(PAGE_HEADERS['referrer-policy']).toBe('same-origin');
  });
});
