import { expect, it } from '@jest/globals';
import { assistant, conversation, detect, firedSignals, user } from '../../test-support/conversation.ts';
import { languageSwitch } from './language-switch.ts';

const german = 'Ich möchte wissen, wann meine Bestellung ankommt, denn sie ist noch nicht da.';
const english = 'Your order is on its way and it should be with you by the end of this week.';
const spanish = 'El pedido está en camino y es posible que llegue a su casa el lunes por la tarde.';
const russian = 'Ваш заказ уже в пути и будет доставлен в понедельник.';

it.each([
  [german, english],
  [german, spanish],
  [english, russian],
])('%j answered with %j is reported', (asked, answered) => {
  expect(firedSignals(languageSwitch, [user(asked), assistant(answered)])).toEqual(['answered_in_other_language']);
});

it.each([
  ['the same language', [user(german), assistant('Ihre Bestellung ist unterwegs und kommt am Montag bei Ihnen an.')]],
  ['a translation that was asked for', [user(`Translate to English: ${german}`), assistant(english)]],
  ['a short message', [user('Danke!'), assistant(english)]],
  ['code', [user(german), assistant('```\nif the order is not here and it is late then call us\n```')]],
])('left alone: %s', (_, script) => {
  expect(firedSignals(languageSwitch, script)).toEqual([]);
});

it('a prompt that asks for a language is obeyed', () => {
  const script = [{ role: 'system' as const, content: 'Always answer in English.' }, user(german), assistant(english)];
  expect(detect(languageSwitch, conversation(script))).toEqual([]);
});
