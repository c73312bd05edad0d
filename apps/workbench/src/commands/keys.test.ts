import { describe, expect, it } from '@jest/globals';
import { ALL_BINDINGS, bindingsOf, isCharacterKey, keysText, press, strokeOf, type KeyPress } from './keys.ts';
import { COMMAND_GROUPS, COMMAND_IDS, commandOf, SCREEN_GROUPS } from './table.ts';

const NONE = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
const key = (name: string, modifiers: Partial<KeyPress> = {}): KeyPress => ({ ...NONE, key: name, ...modifiers });

describe('the table of commands', () => {
  const all = COMMAND_IDS.flatMap((id) => commandOf(id).keys);

  it('gives no key to two commands that can be given at once', () => {
    const isOfScreen = (group: string) => (SCREEN_GROUPS as readonly string[]).includes(group);
    const bound = COMMAND_IDS.flatMap((id) =>
      commandOf(id).keys.map((keys) => ({ id, keys, group: commandOf(id).group })),
    );
    const doubles = bound.filter(({ id, keys, group }) =>
      bound.some(
        (other) =>
          other.id !== id &&
          other.keys === keys &&
          !(isOfScreen(group) && isOfScreen(other.group) && group !== other.group),
      ),
    );
    expect(doubles.map(({ id }) => id)).toEqual([]);
  });

  it('has no key that is the beginning of another one, which could then not be pressed', () => {
    for (const keys of all) expect(all.filter((other) => other.startsWith(`${keys} `))).toEqual([]);
  });

  it('writes keys as they are read from the keyboard', () => {
    for (const stroke of all.flatMap((keys) => keys.split(' '))) {
      const name = stroke.split('+').at(-1) ?? '';
      const pressed = key(name, { ctrlKey: stroke.includes('Mod+'), shiftKey: stroke.includes('Shift+') });
      expect(strokeOf(pressed)).toBe(stroke);
    }
  });

  it('has a title and a group for each', () => {
    for (const id of COMMAND_IDS) {
      expect(commandOf(id).title).not.toBe('');
      expect(COMMAND_GROUPS).toContain(commandOf(id).group);
    }
  });
});

describe('strokes', () => {
  it('are the same with Ctrl and with Command, and whatever Shift does to a sign', () => {
    expect(strokeOf(key('k', { metaKey: true }))).toBe('Mod+k');
    expect(strokeOf(key('k', { ctrlKey: true }))).toBe('Mod+k');
    expect(strokeOf(key('?', { shiftKey: true }))).toBe('?');
    expect(strokeOf(key('N', { shiftKey: true }))).toBe('Shift+n');
    expect(strokeOf(key(' '))).toBe('Space');
    // Caps Lock.
    expect(strokeOf(key('N'))).toBe('n');
  });

  it('are none for a modifier alone, and with Alt', () => {
    expect(strokeOf(key('Shift', { shiftKey: true }))).toBeUndefined();
    expect(strokeOf(key('f', { altKey: true }))).toBeUndefined();
  });

  it('come one after the other where keys have two', () => {
    expect(press('', 'g', ALL_BINDINGS)).toEqual({ pending: 'g' });
    expect(press('g', 'f', ALL_BINDINGS)).toEqual({ command: 'go.findings', pending: '' });
  });

  it('begin anew where they lead nowhere', () => {
    expect(press('g', 'j', ALL_BINDINGS)).toEqual({ command: 'list.next', pending: '' });
    expect(press('g', 'g', ALL_BINDINGS)).toEqual({ pending: 'g' });
    expect(press('', 'q', ALL_BINDINGS)).toEqual({ pending: '' });
  });
});

it('leaves named keys and modifiers when character keys are off', () => {
  const bindings = bindingsOf(COMMAND_IDS, false);
  expect([...bindings.keys()].filter(isCharacterKey)).toEqual([]);
  expect(bindings.get('Mod+k')).toBe('palette.open');
  expect(bindings.get('Enter')).toBe('list.open');
  expect(bindings.has('c')).toBe(false);
});

it('shows keys as they stand on the keyboard', () => {
  expect(keysText('Mod+k', false)).toBe('Ctrl K');
  expect(keysText('Mod+k', true)).toBe('⌘ K');
  expect(keysText('g f', false)).toBe('G then F');
  expect(keysText('Shift+ArrowDown', false)).toBe('Shift ↓');
});
