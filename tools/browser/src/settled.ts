import type { Page } from 'playwright-core';
import type { Watch } from './watch.ts';

/** Whether the page shows a heading and nothing that is still being read, for two frames in a row. */
const IS_SHOWN = `new Promise((resolve) => {
  const isShown = () => document.querySelector('h1, h2') !== null && document.querySelector('.skeleton') === null;
  requestAnimationFrame(() => requestAnimationFrame(() => resolve(isShown())));
})`;
const TIMEOUT_MS = 120_000;

/** Waits until a page shows all that it reads: no request is under way, and no placeholder is left. */
export async function settled(page: Page, watch: Watch): Promise<void> {
  const endMs = Date.now() + TIMEOUT_MS;
  for (let quiet = 0; quiet < 2;) {
    if (Date.now() > endMs) throw new Error(`The page does not come to rest: ${page.url()}`);
    quiet = (await isAtRest(page, watch)) ? quiet + 1 : 0;
  }
}

async function isAtRest(page: Page, watch: Watch): Promise<boolean> {
  // A page that is just being left has nothing to ask.
  const isShown = await page.evaluate(IS_SHOWN).catch(() => false);
  return isShown === true && watch.pending(page) === 0;
}
