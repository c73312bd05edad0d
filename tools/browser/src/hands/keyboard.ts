import type { Locator, Page } from 'playwright-core';
import { locate, takeFileChoosers, type Hands, type Thing } from './hands.ts';

/** Presses of one key after which a thing counts as out of reach. */
const MAX_STEPS = 250;
/** Roles of things among which the arrows move, not the tabulator. */
const BY_ARROWS: ReadonlySet<string> = new Set(['menuitem', 'menuitemradio', 'menuitemcheckbox', 'option', 'tab']);
/** Keys that a keyboard has; there is nothing here that points. */
type Keys = Pick<Page['keyboard'], 'press' | 'type'>;

/** Hands without a mouse: what cannot be reached by keys, they cannot do. */
export function keyboard(page: Page): Hands {
  takeFileChoosers(page);
  const keys: Keys = page.keyboard;
  const press = async (combination: string) => {
    for (const stroke of combination.split(' ')) await keys.press(stroke);
  };
  return {
    page,
    async press(thing) {
      await reach(page, keys, thing);
      await press('Enter');
    },
    async write(thing, text) {
      await reach(page, keys, thing);
      await press('ControlOrMeta+a');
      await (text === '' ? press('Delete') : keys.type(text));
    },
    async tick(thing) {
      if (thing.role === 'radio') return await reachRadio(page, keys, thing);
      await reach(page, keys, thing);
      await press('Space');
    },
    async choose(field, option) {
      await reach(page, keys, field);
      const chosen = locate(page, field).locator('option:checked').filter({ hasText: option });
      await press('Home');
      for (let step = 0; (await chosen.count()) === 0; step += 1) {
        if (step > MAX_STEPS) throw new Error(`There is no option ${String(option)}`);
        await press('ArrowDown');
      }
    },
    async attach(field, file) {
      await reach(page, keys, field);
      const chooser = page.waitForEvent('filechooser');
      await press('Enter');
      await (await chooser).setFiles(file);
    },
    async command(button, combination) {
      await locate(page, button).waitFor();
      await press(combination);
    },
    async selectRows(places) {
      await reachRow(page, press, places[0] ?? 0);
      for (const [at, place] of places.entries()) {
        for (let from = places[at - 1] ?? place; from < place; from += 1) await press('j');
        await press('x');
      }
    },
    async openRow(place) {
      await reachRow(page, press, place);
      await press('Enter');
    },
  };
}

async function reachRow(page: Page, press: (keys: string) => Promise<void>, place: number): Promise<void> {
  const grid = page.getByRole('grid').first();
  await grid.waitFor();
  await reachFocus(page, page.keyboard, grid, 'Tab', 'the list');
  await press('Home');
  for (let from = 0; from < place; from += 1) await press('j');
}

async function reach(page: Page, keys: Keys, thing: Thing): Promise<void> {
  const found = locate(page, thing);
  await found.waitFor();
  await reachFocus(page, keys, found, BY_ARROWS.has(thing.role) ? 'ArrowDown' : 'Tab', String(thing.name));
}

/** Moves the focus to one of several choices, which the tabulator passes as one thing; the arrows take what they reach. */
async function reachRadio(page: Page, keys: Keys, thing: Thing): Promise<void> {
  const found = locate(page, thing);
  await found.waitFor();
  await reachFocus(page, keys, found, 'Tab', String(thing.name), HAS_FOCUS_IN_GROUP);
  await reachFocus(page, keys, found, 'ArrowDown', String(thing.name));
  if (!(await found.isChecked())) await keys.press('Space');
}

/** Moves the focus until the thing has it, and holds that it is never lost on the way. */
async function reachFocus(
  page: Page,
  keys: Keys,
  thing: Locator,
  key: string,
  name: string,
  hasFocus = HAS_FOCUS,
): Promise<void> {
  for (let step = 0; step < MAX_STEPS; step += 1) {
    if (await thing.evaluate(hasFocus)) {
      if (!(await page.evaluate<boolean>(FOCUS_IS_SEEN))) throw new Error(`The focus on "${name}" is not seen`);
      return;
    }
    await keys.press(key);
  }
  throw new Error(`"${name}" cannot be reached with ${key}`);
}

const HAS_FOCUS = (element: unknown): boolean =>
  (element as { ownerDocument: { activeElement: unknown } }).ownerDocument.activeElement === element;

interface Radio {
  readonly name: string;
  readonly type: string;
}

/** Whether one of the choices has the focus to which this one belongs. */
const HAS_FOCUS_IN_GROUP = (element: unknown): boolean => {
  const { activeElement } = (element as { ownerDocument: { activeElement: Radio | null } }).ownerDocument;
  return activeElement?.type === 'radio' && activeElement.name === (element as Radio).name;
};

/** Whether what has the focus is drawn differently from without it: by an outline, an edge, or its row. */
const FOCUS_IS_SEEN = `(() => {
  const element = document.activeElement;
  if (element === null || element === document.body) return false;
  const isDrawn = (style) => style.outlineStyle !== 'none' && style.outlineWidth !== '0px' || style.boxShadow !== 'none';
  const near = [element, element.closest('label'), element.parentElement, ...element.querySelectorAll('[data-cursor]')];
  return near.some((each) => each !== null && isDrawn(getComputedStyle(each))) ||
    element.matches('[data-focused], [data-focus-visible], input, textarea, select, [role="grid"]');
})()`;
