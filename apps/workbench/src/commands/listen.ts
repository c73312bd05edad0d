import { bindingsOf, press, strokeOf } from './keys.ts';
import { commands } from './registry.ts';

/** Time after which a first stroke is forgotten. */
const PENDING_MS = 1_200;
/** Fields in which keys are typed; a checkbox is none. */
const FIELDS =
  'input:not([type="checkbox"]), textarea, select, [contenteditable="true"], [role="textbox"], [role="combobox"]';
/** Keys that are heard in fields too. */
const IN_FIELDS: readonly string[] = ['Mod+k', 'Mod+Enter', 'Mod+Shift+Enter'];
/** Elements that keep all keys to themselves. */
const OVERLAYS = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';
const PRESSABLE =
  'button, a[href], summary, [type="checkbox"], [role="button"], [role="tab"], [role="option"], [role="menuitem"]';
/** Keys that press what has the focus. */
const PRESSES: readonly string[] = ['Enter', 'Space'];

/** Gives the commands of keys that are pressed anywhere on the page, until the signal ends it. */
export function listenToKeys(withCharacterKeys: () => boolean, signal: AbortSignal): void {
  let pending = '';
  let pendingSince = 0;
  const hear = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return;
    const stroke = strokeOf(event);
    if (stroke === undefined || !isForPage(event, stroke)) return;
    const waiting = event.timeStamp - pendingSince > PENDING_MS ? '' : pending;
    const pressed = press(waiting, stroke, bindingsOf(commands.active(), withCharacterKeys()));
    pending = pressed.pending;
    pendingSince = event.timeStamp;
    if (pressed.command !== undefined && commands.run(pressed.command)) event.preventDefault();
  };
  document.addEventListener('keydown', hear, { signal });
}

function isForPage({ target }: KeyboardEvent, stroke: string): boolean {
  if (!(target instanceof Element)) return true;
  if (target.closest(OVERLAYS) !== null) return stroke === 'Mod+k';
  if (target.closest(FIELDS) !== null) return IN_FIELDS.includes(stroke);
  // Enter on a button or a link presses that, not the row of the list beside it.
  return !PRESSES.includes(stroke) || target.closest(PRESSABLE) === null;
}
