import type { Page } from 'playwright-core';
import { locate, rowAt, takeFileChoosers, type Hands } from './hands.ts';

/** Hands at a mouse; they type into fields. */
export function mouse(page: Page): Hands {
  takeFileChoosers(page);
  return {
    page,
    press: (thing) => locate(page, thing).click(),
    write: (thing, text) => locate(page, thing).fill(text),
    tick: (thing) => locate(page, thing).click(),
    async choose(field, option) {
      const label = await locate(page, field).locator('option', { hasText: option }).first().innerText();
      await locate(page, field).selectOption({ label });
    },
    async attach(field, file) {
      const chooser = page.waitForEvent('filechooser');
      await locate(page, field).click();
      await (await chooser).setFiles(file);
    },
    command: (button) => locate(page, button).click(),
    async selectRows(places) {
      for (const place of places) await rowAt(page, place).getByRole('checkbox').click();
    },
    openRow: (place) => rowAt(page, place).getByRole('gridcell').last().click(),
  };
}
