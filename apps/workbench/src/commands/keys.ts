import { COMMAND_IDS, commandOf, type CommandId } from './table.ts';

/** Facts of a key press, as the browser gives them. */
export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

const MODIFIERS: readonly string[] = ['Shift', 'Control', 'Alt', 'Meta', 'AltGraph', 'CapsLock', 'Fn'];

/** Name of a key press as the table writes it; undefined for modifiers alone and for Alt, which types characters. */
export function strokeOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyPress): string | undefined {
  if (altKey || MODIFIERS.includes(key)) return undefined;
  const isLetter = key.length === 1 && key.toLowerCase() !== key.toUpperCase();
  const name = isLetter ? key.toLowerCase() : key === ' ' ? 'Space' : key;
  // A sign such as `?` is typed with Shift on one keyboard and without it on another.
  const isShifted = shiftKey && (isLetter || key.length > 1);
  return `${ctrlKey || metaKey ? 'Mod+' : ''}${isShifted ? 'Shift+' : ''}${name}`;
}

/** Whether keys consist of characters alone, which somebody who speaks to the computer may say by accident. */
export function isCharacterKey(keys: string): boolean {
  return keys.split(' ').every((stroke) => stroke.replace('Shift+', '').length === 1);
}

/** Commands by their keys. Without character keys, only those with a modifier or a named key are left. */
export function bindingsOf(ids: readonly CommandId[], withCharacterKeys: boolean): ReadonlyMap<string, CommandId> {
  const entries = ids.flatMap((id) => commandOf(id).keys.map((keys) => [keys, id] as const));
  return new Map(entries.filter(([keys]) => withCharacterKeys || !isCharacterKey(keys)));
}

/** Outcome of a stroke: a command, or strokes that may become one. */
export interface Pressed {
  readonly command?: CommandId;
  readonly pending: string;
}

/** Takes a stroke after those that wait for more. */
export function press(pending: string, stroke: string, bindings: ReadonlyMap<string, CommandId>): Pressed {
  const keys = pending === '' ? stroke : `${pending} ${stroke}`;
  const command = bindings.get(keys);
  if (command !== undefined) return { command, pending: '' };
  if ([...bindings.keys()].some((bound) => bound.startsWith(`${keys} `))) return { pending: keys };
  return pending === '' ? { pending: '' } : press('', stroke, bindings);
}

/** Keys as people read them: `⌘ K` or `Ctrl K`, `g then f`, `Shift J`. */
export function keysText(keys: string, isApple: boolean): string {
  return keys
    .split(' ')
    .map((stroke) =>
      stroke
        .split('+')
        .filter(Boolean)
        .map((part) => partText(part, isApple))
        .join(' '),
    )
    .join(' then ');
}

const PARTS: Readonly<Record<string, string>> = { ArrowDown: '↓', ArrowUp: '↑', Escape: 'Esc', Enter: '↵' };

function partText(part: string, isApple: boolean): string {
  if (part === 'Mod') return isApple ? '⌘' : 'Ctrl';
  return PARTS[part] ?? (part.length === 1 ? part.toUpperCase() : part);
}

/** All commands by their keys. */
export const ALL_BINDINGS = bindingsOf(COMMAND_IDS, true);
