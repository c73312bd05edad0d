import { describe, expect, it } from '@jest/globals';
import {
  assistant,
  called,
  conversation,
  detect,
  firedSignals,
  user,
  type ScriptedMessage,
} from '../../test-support/conversation.ts';
import { repeatedQuestion } from './repeated-question.ts';

type Script = readonly (ScriptedMessage | ScriptedMessage[])[];

const start = user('My parcel has not arrived.');

describe('the agent asks again for what it was told', () => {
  const exchanges: readonly (readonly [string, string, string, string])[] = [
    ['in the same words', 'What is your order number?', '12345', 'What is your order number?'],
    [
      'in other words',
      'Could you tell me your order number?',
      "It's W-12345.",
      'To look into this I need your order number.',
    ],
    ['without a possessive', 'What is the order number?', 'It is 12345', 'Can you give me the order number please?'],
    [
      'for an e-mail address',
      'What email address did you use?',
      'jo@example.com',
      'Please provide your email address so I can look.',
    ],
    ['for a date', 'What is your date of birth?', 'May 3rd, 1990', 'Thanks! What is your date of birth?'],
    ['for a place', 'Which city are you in?', 'Rotterdam', 'Great. Which city are you in?'],
    [
      'what is wrong',
      'What seems to be the problem with your laptop?',
      'The screen flickers.',
      'What seems to be the problem with your laptop?',
    ],
    [
      'for a decision',
      'Would you like the red or the blue one?',
      'Yes, blue',
      'Would you like the red or the blue one?',
    ],
    ['in German', 'Wie lautet Ihre Bestellnummer?', '12345', 'Bitte nennen Sie mir Ihre Bestellnummer.'],
    ['in French', 'Quel est votre numéro de commande ?', '12345', 'Pouvez-vous me donner votre numéro de commande ?'],
    ['in Spanish', '¿Cuál es su número de pedido?', '12345', 'Por favor, indique su número de pedido.'],
  ];
  it.each(exchanges)('%s', (_, question, reply, again) => {
    const script = [start, assistant(question), user(reply), assistant(again)];
    expect(firedSignals(repeatedQuestion, script)).toEqual(['question_asked_again']);
  });

  it('after other turns in between', () => {
    const script = [
      start,
      assistant('What is your order number?'),
      user('12345'),
      assistant('Thank you. Was it sent by post?'),
      user('By courier I think'),
      assistant('What is your order number?'),
    ];
    expect(firedSignals(repeatedQuestion, script)).toEqual(['question_asked_again']);
  });

  it('with the complaint of the user as a second signal of the same case', () => {
    const script = [
      start,
      assistant('What is your order number?'),
      user('12345'),
      assistant('What is your order number?'),
      user('I already told you: 12345!'),
    ];
    expect(detect(repeatedQuestion, conversation(script))).toMatchObject([
      { signals: ['question_asked_again', 'repetition_pointed_out'] },
    ]);
  });

  it('although it has worked with the answer, when the user has to give the same answer again', () => {
    const script = (later: string): Script => [
      start,
      assistant('What is your order number?'),
      user('W-12345'),
      called('get_order', { id: 'W-12345' }, { state: 'shipped' }),
      assistant('It was shipped. What is your order number?'),
      user(later),
    ];
    expect(firedSignals(repeatedQuestion, script('W-12345'))).toEqual(['question_asked_again']);
    expect(firedSignals(repeatedQuestion, script('W-777'))).toEqual([]);
  });
});

describe('asking again with a reason is not reported', () => {
  const exchanges: readonly (readonly [string, string, string, string])[] = [
    ['the user does not have it', 'What is your order number?', "I don't have it with me", 'I need your order number.'],
    [
      'the user asks back',
      'What is your order number?',
      'Where can I find that?',
      'On the invoice. What is your order number?',
    ],
    [
      'the user answers something else',
      'What is your order number?',
      'it was a blue jacket',
      'What is your order number?',
    ],
    ['it was not found', 'What is your order number?', '12345', "I can't find 12345. What is your order number?"],
    ['to be sure', 'What is your order number?', '12345', 'Could you double-check your order number?'],
    ['for another one', 'What is your order number?', '12345', 'And what is your other order number?'],
    ['one of two things is missing', 'What are your name and order number?', 'Kim Lee', 'What is your order number?'],
    ['for another thing', 'What is your order number?', '12345', 'What is your phone number?'],
    ['for the next passenger', 'What is the name of passenger 1?', 'Kim Lee', 'What is the name of passenger 2?'],
    [
      'politeness',
      'Done. Is there anything else I can help you with?',
      'Yes, the lamp',
      'Done. Is there anything else I can help you with?',
    ],
    ['a game or an interview', 'What happened next?', 'We went home.', 'What happened next?'],
    ['a greeting', 'Hi! How can I help you today?', 'My lamp broke', 'Hi! How can I help you today?'],
    [
      'a confirmation of a changed plan',
      'Shall I book this flight for you?',
      'Make it Friday',
      'Shall I book this flight for you?',
    ],
    [
      'the user brings up something new',
      'What is your order number?',
      '12345. And I have another one',
      'What is your order number?',
    ],
  ];
  it.each(exchanges)('%s', (_, question, reply, again) => {
    const script = [start, assistant(question), user(reply), assistant(again)];
    expect(detect(repeatedQuestion, conversation(script))).toEqual([]);
  });
});

describe('the user has to ask again', () => {
  const questions: readonly (readonly [string, string, string])[] = [
    ['in the same words', 'What is your refund policy?', 'What is your refund policy?'],
    [
      'in nearly the same words',
      'How many unused days can I carry over?',
      'Yes, but how many unused days can I carry over?',
    ],
    ['without question marks', 'how do i cancel my subscription', 'how do i cancel my subscription'],
    ['as a request', 'I want to cancel my subscription', 'I want to cancel my subscription.'],
    ['in German', 'Wie hoch ist die Gebühr für Umbuchungen?', 'Wie hoch ist denn die Gebühr für Umbuchungen?'],
  ];
  it.each(questions)('%s', (_, question, again) => {
    const script = [user(question), assistant('We offer many services.'), user(again), assistant('It is free.')];
    expect(firedSignals(repeatedQuestion, script)).toEqual(['user_repeats_question']);
  });

  const complaints: readonly string[] = [
    'I already told you my order number.',
    "You didn't answer my question.",
    'As I said, for the third time, it is broken.',
    "I've already given you that information",
    'Das habe ich doch schon gesagt.',
    'Je vous ai déjà dit que non.',
    'Ya te lo dije.',
    'Eu já te disse isso.',
  ];
  it.each(complaints)('and says so: %s', (complaint) => {
    const script = [start, assistant('Parcels take three days.'), user(complaint), assistant('I see.')];
    expect(firedSignals(repeatedQuestion, script)).toEqual(['repetition_pointed_out']);
  });
});

describe('a user who says something twice for other reasons is not reported', () => {
  const scripts: readonly (readonly [string, Script])[] = [
    [
      'another number',
      [user('What is the status of order 17?'), assistant('Sent.'), user('What is the status of order 18?')],
    ],
    [
      'hours later',
      [user('Is the site still down?'), assistant('Yes.'), user('Is the site still down?', { afterMs: 7_200_000 })],
    ],
    ['small talk', [user('How are you?'), assistant('Fine!'), user('How are you?')]],
    [
      'an answer given twice',
      [
        start,
        assistant('Which colour do you want?'),
        user('navy blue linen'),
        assistant('Which size do you want?'),
        user('navy blue linen'),
      ],
    ],
    ['a message sent twice without an answer', [user('Where is my parcel now?'), user('Where is my parcel now?')]],
    ['told to somebody else', [start, assistant('I see.'), user('I already told your colleague on the phone.')]],
    ['a complaint at the very start', [user('I already told you yesterday that it is broken.'), assistant('I see.')]],
  ];
  it.each(scripts)('%s', (_, script) => {
    expect(detect(repeatedQuestion, conversation(script))).toEqual([]);
  });
});

describe('settings and clusters', () => {
  const asked = (question: string, reply: string, again: string): string | undefined =>
    detect(repeatedQuestion, conversation([start, assistant(question), user(reply), assistant(again)]))[0]
      ?.clusterFingerprint;

  it('keywords of the project are further complaints', () => {
    const script = [start, assistant('I see.'), user('Groundhog day again')];
    expect(firedSignals(repeatedQuestion, script, { keywords: ['groundhog day'] })).toEqual(['repetition_pointed_out']);
  });

  it('the same thing asked for is one cluster, however it is worded', () => {
    const first = asked('What is your order number?', '12345', 'What is your order number?');
    expect(asked('Could you share your order number?', '777-1', 'I need your order number.')).toBe(first);
    expect(asked('What is your zip code?', '12345', 'What is your zip code?')).not.toBe(first);
  });
});
