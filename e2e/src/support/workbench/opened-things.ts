import type { Person } from '@clew/browser';

/** Commands that open something over every page, by their keys. */
const EVERYWHERE: Readonly<Record<string, string>> = { palette: 'ControlOrMeta+k', keys: '?' };
/** Buttons that open something: a menu, a dialog beside them, or one that asks, whose label ends so. */
const OPENERS = 'button[aria-haspopup]:not([disabled]), button:text-matches("…$"):not([disabled])';
const OVERLAY = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';

/** Opens one after the other all that a page can open; yields the name of each while it is open. */
export async function* openedThings({ page }: Person): AsyncGenerator<string> {
  const overlay = page.locator(OVERLAY).first();
  const close = async () => {
    await page.keyboard.press('Escape');
    await overlay.waitFor({ state: 'detached' });
  };
  for (const [name, keys] of Object.entries(EVERYWHERE)) {
    await page.keyboard.press(keys);
    await overlay.waitFor();
    yield name;
    await close();
  }
  const openers = page.locator(OPENERS);
  const count = await openers.count();
  for (let at = 0; at < count; at += 1) {
    const opener = openers.nth(at);
    if (!(await opener.isVisible())) continue;
    const name = (await opener.innerText()).trim() || `opener ${at + 1}`;
    await opener.click();
    await overlay.waitFor();
    yield name;
    await close();
  }
}
