import type { Locator, Page } from 'playwright-core';

type Role = Parameters<Page['getByRole']>[0];

/** Something on the page, as a reader of screens names it. */
export interface Thing {
  readonly role: Role;
  readonly name: string | RegExp;
  /** Part of the page in which it is looked for, if it is not the only one. */
  readonly within?: Thing;
}

/** File of somebody's disk. */
export interface LocalFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

/** Somebody's hands, who does the journeys: with a mouse, or with keys alone. */
export interface Hands {
  readonly page: Page;
  /** Presses a button, a link, a tab or a choice of a menu. */
  press(thing: Thing): Promise<void>;
  /** Writes into a field, in place of what is there. */
  write(thing: Thing, text: string): Promise<void>;
  /** Ticks or unticks a box, or takes one of several choices, of which the name is that of the choice. */
  tick(thing: Thing): Promise<void>;
  /** Takes an option of a field that has few, by its text. */
  choose(field: Thing, option: string | RegExp): Promise<void>;
  /** Chooses a file from the disk. */
  attach(field: Thing, file: LocalFile): Promise<void>;
  /** Gives a command: by its button where there is a mouse, else by its keys. */
  command(button: Thing, keys: string): Promise<void>;
  /** Selects rows of a list, by their place on the screen, beginning with 0. */
  selectRows(places: readonly number[]): Promise<void>;
  /** Opens a row of a list. */
  openRow(place: number): Promise<void>;
}

/** Finds a thing on the page. */
export function locate(page: Page, { role, name, within }: Thing): Locator {
  const scope = within === undefined ? page : locate(page, within);
  return scope.getByRole(role, { name, exact: typeof name === 'string' }).first();
}

/** Row of the list on the page, without the header. */
export function rowAt(page: Page, place: number): Locator {
  return page.locator(`[role="grid"] [role="row"][aria-rowindex="${place + 2}"]`);
}

/**
 * Lets the browser hand file choosers to the test from now on. One that is awaited only when it is about to open may open
 * before the browser has heard of that, and is lost.
 */
export function takeFileChoosers(page: Page): void {
  page.on('filechooser', () => undefined);
}
