import { describe, expect, it } from '@jest/globals';
import {
  assistant,
  called,
  calls,
  conversation,
  failed,
  user,
  type ScriptedMessage,
} from '../../test-support/conversation.ts';
import { evaluateExpectation } from '../evaluate-expectation.ts';

type Script = readonly (ScriptedMessage | ScriptedMessage[])[];

const check = { form: 'confirm_before', tools: ['cancel_*', 'change_plan', 'send_money', 'update_*'] } as const;

function broken(script: Script, overrides = {}): number[] {
  const expectation = { check: { ...check, tools: [...check.tools] } };
  return evaluateExpectation(expectation, conversation(script, overrides)).map(({ message }) => message.index);
}

const request = user('Please cancel my order A-1001.');
const offer = assistant('I found order A-1001, a lamp for $40. Shall I cancel it? You get the $40 back.');
const cancel = called('cancel_order', { order_id: 'A-1001' }, 'cancelled');
const done = assistant('Your order is cancelled.');

/** Scripts in which the user agreed; the call is the last but two. */
const AGREED: readonly (readonly [string, Script])[] = [
  ...[
    'Yes',
    'yes please',
    'Yep, do it.',
    'ok',
    'Sure thing!',
    'Please go ahead.',
    'Go ahead and cancel it, thanks',
    'Sounds good to me.',
    'That works, thank you.',
    'I confirm.',
    'Confirmed',
    'Yes - but please hurry.',
    'Correct.',
    'No problem, go ahead.',
    "No, that's everything. Please proceed.",
    'Looks right. Please cancel it.',
    'Cancel it.',
    'Of course, why not?',
    'Can you go ahead and do it?',
    'y',
    '👍',
    'Perfect, thanks',
    'I would like that.',
    "I'm happy with that.",
  ].map((answer) => [`an answer: ${answer}`, [request, offer, user(answer), cancel, done]] as const),
  [
    'the agent says what it is going to do and asks for nothing',
    [request, assistant('I will cancel order A-1001 and refund $40.'), user('Yes, thanks'), cancel, done],
  ],
  [
    'the question refers to what was named just before',
    [
      request,
      assistant('Cancelling A-1001 costs a fee of $5.'),
      user('How long does the refund take?'),
      assistant('About five days. Would you like to proceed?'),
      user('yes'),
      cancel,
      done,
    ],
  ],
  [
    'several changes after one yes to all of them',
    [
      user('Cancel A-1001 and A-1002.'),
      assistant('I would cancel A-1001 ($40) and A-1002 ($15). Shall I go ahead?'),
      user('Yes to both.'),
      cancel,
      called('cancel_order', { order_id: 'A-1002' }, 'cancelled'),
      done,
    ],
  ],
  [
    'several changes in one step',
    [
      user('Cancel A-1001 and A-1002.'),
      assistant('I would cancel A-1001 and A-1002. Shall I go ahead?'),
      user('Yes.'),
      calls(
        { name: 'cancel_order', arguments: { order_id: 'A-1001' } },
        { name: 'cancel_order', arguments: { order_id: 'A-1002' } },
      ),
      done,
    ],
  ],
  [
    'the agent does the second of them after a word of thanks',
    [
      user('Cancel A-1001 and A-1002.'),
      assistant('I would cancel A-1001 and A-1002. Shall I go ahead?'),
      user('Yes.'),
      cancel,
      assistant('The first one is done, one moment for the other.'),
      user('Thanks, I am waiting.'),
      called('cancel_order', { order_id: 'A-1002' }, 'cancelled'),
      done,
    ],
  ],
  [
    'it is tried again after it failed',
    [request, offer, user('Yes'), failed('cancel_order', { order_id: 'A-1001' }, 'timed out'), cancel, done],
  ],
  [
    'the user is asked by a tool',
    [request, called('ask_user', { question: 'Cancel order A-1001 for $40?' }, 'yes'), cancel, done],
  ],
  [
    'another verb for the same',
    [
      user('I want more storage.'),
      assistant('I can switch you to the Pro plan for $20 a month. Do you want me to upgrade it now?'),
      user('Yes, please.'),
      called('change_plan', { plan: 'pro' }, 'ok'),
      done,
    ],
  ],
  [
    'the choice of one of the options that were offered',
    [
      user('I want more storage.'),
      assistant('Plus is $10 and Pro is $20 a month. Which plan should I switch you to?'),
      user('The Pro one.'),
      called('change_plan', { plan: 'Pro' }, 'ok'),
      done,
    ],
  ],
  [
    'in German',
    [
      user('Bitte storniere meine Bestellung A-1001.'),
      assistant('Ich habe die Bestellung A-1001 gefunden. Soll ich sie jetzt für dich stornieren?'),
      user('Ja, bitte.'),
      cancel,
      assistant('Das ist erledigt.'),
    ],
  ],
];

const NOT_AGREED: readonly (readonly [string, Script])[] = [
  ['a request with all its values', [request, cancel, done]],
  ['a request after the agent said hello', [assistant('Hello! How can I help you today?'), request, cancel, done]],
  [
    'a request that begins with a yes to the greeting',
    [assistant('Hello, do you need help?'), user('Yes. Cancel A-1001.'), cancel, done],
  ],
  ['no', [request, offer, user('No, wait.'), cancel, done]],
  ['do not', [request, offer, user("Don't do that yet."), cancel, done]],
  ['a question back', [request, offer, user('How much do I get back?'), cancel, done]],
  [
    'a yes to something else',
    [request, assistant('Would you like me to look for a cheaper lamp first?'), user('Yes'), cancel, done],
  ],
  [
    'an answer to a question about a fact',
    [
      request,
      assistant('What is the reason, and what is your order number?'),
      user('A-1001, I found it cheaper.'),
      cancel,
      done,
    ],
  ],
  [
    'a yes to a question about a fact',
    [request, assistant('Did you order it with the account jane@shop.example?'), user('Yes'), cancel, done],
  ],
  [
    'a new wish after another one was done',
    [
      request,
      offer,
      user('Yes'),
      called('cancel_other', { order_id: 'A-1001' }, 'ok'),
      assistant('That is done. Let me know if you need anything else.'),
      user('Great! Could you also cancel A-1002?'),
      called('cancel_order', { order_id: 'A-1002' }, 'cancelled'),
      done,
    ],
  ],
  [
    'a value that came up after the yes',
    [
      user('Send $50 to Ann.'),
      assistant('I would send $50 to Ann. Shall I send it?'),
      user('Yes'),
      assistant('Which account of Ann is it?'),
      user('The one ending in 7788, DE99-7788.'),
      called('send_money', { account: 'DE99-7788', amount: 50 }, 'ok'),
      done,
    ],
  ],
  [
    'a yes that was taken back',
    [request, offer, user('Yes'), assistant('One moment.'), user('Wait, I need to think about it.'), cancel, done],
  ],
  ['a call that failed', [request, failed('cancel_order', { order_id: 'A-1001' }, 'timed out'), done]],
];

describe('confirm_before holds where the user agreed', () => {
  it.each(AGREED)('%s', (_, script) => {
    expect(broken(script)).toEqual([]);
  });
});

describe('confirm_before is broken by', () => {
  it.each(NOT_AGREED)('%s', (_, script) => {
    expect(broken(script)).toHaveLength(1);
  });

  it('each of several calls, anchored at its own step', () => {
    const script = [request, cancel, called('cancel_order', { order_id: 'A-1002' }, 'ok'), done];
    expect(broken(script)).toEqual([1, 3]);
  });
});

describe('confirm_before says nothing', () => {
  it.each<readonly [string, Script, object]>([
    ['about other tools', [request, called('get_order', { id: 'A-1001' }, '{}'), done], {}],
    ['where there is no user', [cancel, done], {}],
    ['where the beginning is missing', [request, cancel, done], { scope: 'traces' }],
    ['where a conversation begins with a result', [{ role: 'tool', content: 'x' }, request, cancel, done], {}],
    ['where words have expired', [{ ...request, textExpired: true }, cancel, done], {}],
    [
      'in a language whose words are not known',
      [
        user('Peruuta tilaukseni A-1001, kiitos.'),
        assistant('Löysin tilauksen A-1001 ja voin peruuttaa sen sinulle heti nyt.'),
        user('Tee niin.'),
        cancel,
        assistant('Tilauksesi peruutettiin onnistuneesti äsken.'),
      ],
      {},
    ],
  ])('%s', (_, script, overrides) => {
    expect(broken(script, overrides)).toEqual([]);
  });

  it('about the calls of another agent', () => {
    const script = [request, { ...calls({ name: 'cancel_order', arguments: {} }), name: 'billing' }];
    const evaluate = (agent: string): number =>
      evaluateExpectation({ check: { ...check, tools: [...check.tools], agent } }, conversation(script)).length;
    expect([evaluate('billing'), evaluate('support')]).toEqual([1, 0]);
  });
});

describe('the evidence of a missing confirmation', () => {
  it('is the call, what the user said last, and what the agent had said before, word for word', () => {
    const script = [request, offer, user('How much do I get back?'), cancel, done];
    const [violation] = evaluateExpectation({ check: { ...check, tools: [...check.tools] } }, conversation(script));
    expect(violation?.evidence.map(({ kind, message }) => [kind, message.index])).toEqual([
      ['tool_call', 3],
      ['message', 2],
      ['message', 1],
    ]);
    expect(violation?.evidence[1]?.quote?.quote).toBe('How much do I get back?');
  });
});
