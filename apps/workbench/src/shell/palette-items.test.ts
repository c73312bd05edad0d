import { expect, it } from '@jest/globals';
import { COMMAND_IDS } from '../commands/table.ts';
import { paletteCommands, pastedThing } from './palette-items.ts';

it('offers commands of the page by words of their titles, in any order', () => {
  expect(paletteCommands('evidence next', COMMAND_IDS)).toEqual(['evidence.next']);
  expect(paletteCommands('evidence next', ['go.home'])).toEqual([]);
  expect(paletteCommands('', ['go.home', 'list.next', 'palette.open'])).toEqual(['go.home']);
});

it.each([
  ['fnd_01JD0000000000000000000000', { kind: 'finding', id: 'fnd_01JD0000000000000000000000' }],
  [' conv-2026-11-27-0042 ', { kind: 'conversation', id: 'conv-2026-11-27-0042' }],
  ['refund', undefined],
  ['wrong refund 2026-11-27', undefined],
])('takes %j for a pasted id or not', (typed, thing) => {
  expect(pastedThing(typed)).toEqual(thing);
});
