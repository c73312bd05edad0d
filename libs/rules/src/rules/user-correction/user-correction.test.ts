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
import { userCorrection, userCorrectionsIn } from './user-correction.ts';

type Script = readonly (ScriptedMessage | ScriptedMessage[])[];

const ask = user('Which flights go from Gatwick to Porto on Tuesday?');
const answer = assistant('SK880 leaves Heathrow at 09:10.');
const next = assistant('SK872 leaves Gatwick at 11:30.');

describe('the user says that the answer is wrong', () => {
  const corrections: readonly (readonly [string, string])[] = [
    ["That's wrong.", 'answer_called_wrong'],
    ['thats incorrect', 'answer_called_wrong'],
    ['No, that is not correct.', 'answer_called_wrong'],
    ["That isn't right, Porto is OPO.", 'answer_called_wrong'],
    ['You are wrong about the airport.', 'answer_called_wrong'],
    ['You made a mistake.', 'answer_called_wrong'],
    ['You gave me the wrong airport.', 'answer_called_wrong'],
    ["That's the wrong airport!", 'answer_called_wrong'],
    ['Your answer is wrong.', 'answer_called_wrong'],
    ['There is a mistake in your list.', 'answer_called_wrong'],
    ['Wrong!', 'answer_called_wrong'],
    ['Incorrect, it leaves at ten.', 'answer_called_wrong'],
    ['Hmm. This is just not true.', 'answer_called_wrong'],
    ["I didn't ask for that.", 'answer_called_wrong'],
    ["No, that's not what I asked.", 'request_misunderstood'],
    ['Not what I asked for', 'request_misunderstood'],
    ['You misunderstood me.', 'request_misunderstood'],
    ["You didn't read my message.", 'request_misunderstood'],
    ['I asked for Gatwick, not Heathrow.', 'request_misunderstood'],
    ['I asked for Gatwick but you gave me Heathrow.', 'request_misunderstood'],
    ['I said Gatwick, not Heathrow.', 'request_restated'],
    ['No, I said Gatwick.', 'request_restated'],
    ['Das ist falsch.', 'answer_called_wrong'],
    ['Nein, das stimmt nicht.', 'answer_called_wrong'],
    ['Danach habe ich nicht gefragt.', 'request_misunderstood'],
    ["C'est faux.", 'answer_called_wrong'],
    ["Ce n'est pas ce que j'ai demandé.", 'request_misunderstood'],
    ['Eso es incorrecto.', 'answer_called_wrong'],
    ['No es lo que pedí.', 'request_misunderstood'],
    ['Isso está errado.', 'answer_called_wrong'],
    ['Não é o que eu pedi.', 'request_misunderstood'],
  ];
  it.each(corrections)('%s', (correction, signal) => {
    expect(firedSignals(userCorrection, [ask, answer, user(correction), next])).toEqual([signal]);
  });

  it('and the agent admits it: a second signal of the same case', () => {
    const script = [ask, answer, user('That is wrong.'), assistant('You are right, I apologize for the mistake.')];
    expect(firedSignals(userCorrection, script)).toEqual(['answer_called_wrong', 'mistake_admitted']);
  });

  it('although the agent had asked what to do next', () => {
    const offered = assistant('SK880 leaves Heathrow at 09:10. Would you like me to book it?');
    for (const words of [
      "No, that's not what I asked.",
      'I said Gatwick, not Heathrow.',
      "No. It's later. That's wrong.",
    ]) {
      expect(firedSignals(userCorrection, [ask, offered, user(words), next])).toHaveLength(1);
    }
  });

  it('as a mere objection, when the agent then admits it', () => {
    const objection = user("Actually, it's Gatwick.");
    expect(firedSignals(userCorrection, [ask, answer, objection, next])).toEqual([]);
    const admitted = assistant('Sorry about that mistake! SK872 leaves Gatwick at 11:30.');
    expect(firedSignals(userCorrection, [ask, answer, objection, admitted])).toEqual([
      'request_restated',
      'mistake_admitted',
    ]);
  });
});

describe('what is no correction of the agent is not reported', () => {
  const replies: readonly string[] = [
    'No.',
    'No, thank you.',
    "No, that's all for now.",
    "No, that's fine.",
    'Yes, that is correct.',
    "Actually, let's do Friday instead.",
    'I changed my mind, I want the other one.',
    'Sorry, I meant Wednesday.',
    'My mistake, I gave you the wrong date.',
    'Oh, I was wrong, it is on Wednesday.',
    'Let me know if that is wrong.',
    'Correct me if I am wrong, but is it direct?',
    'What is wrong with my booking?',
    'There is nothing wrong with that.',
    'You sent me the wrong parcel last week.',
    'The driver said that is wrong.',
    'My colleague wrote "that is wrong" on the form.',
    'I was charged twice last month and I think that is wrong.',
    'That cannot be right, can you check again?',
    "I'd rather not fly from Heathrow.",
    'I think it is wrong that you charge for bags.',
    "You're right, that was wrong of me.",
    'Nein, danke.',
    'Non merci.',
    'No, gracias.',
    'Não, obrigado.',
  ];
  it.each(replies)('%s', (reply) => {
    expect(detect(userCorrection, conversation([ask, answer, user(reply), next]))).toEqual([]);
  });

  it('a no to the question whether everything is right', () => {
    const question = assistant('You fly from Gatwick on Tuesday, is that correct?');
    expect(firedSignals(userCorrection, [ask, question, user('No, that is not correct, on Monday.'), next])).toEqual(
      [],
    );
  });

  it('what the user wants, in answer to an offer', () => {
    const offer = assistant('Shall I book the flight from Heathrow?');
    expect(firedSignals(userCorrection, [ask, offer, user('No, I need the one from Gatwick.'), next])).toEqual([]);
  });

  it('a first message, which answers nothing', () => {
    expect(firedSignals(userCorrection, [user('That is wrong.'), answer])).toEqual([]);
  });

  it('a message after a turn in which the agent said nothing', () => {
    expect(firedSignals(userCorrection, [ask, called('search', {}, []), user('That is wrong.'), next])).toEqual([]);
  });

  it('what one agent says to another in the role of the user', () => {
    const critic: ScriptedMessage = { role: 'user', name: 'critic', content: 'That is wrong.' };
    const snapshot = conversation([ask, answer, critic, next], { agents: ['assistant', 'critic'] });
    expect(detect(userCorrection, snapshot)).toEqual([]);
  });
});

describe('settings and clusters', () => {
  const fingerprint = (script: Script): string | undefined =>
    detect(userCorrection, conversation(script))[0]?.clusterFingerprint;

  it('keywords of the project are further corrections', () => {
    const script = [ask, answer, user('Pants on fire.'), next];
    expect(firedSignals(userCorrection, script, { keywords: ['pants on fire'] })).toEqual(['answer_called_wrong']);
  });

  it('one cluster for each agent and tool that the corrected answer rests on', () => {
    const corrected = (tool: string, words: string): Script => [ask, called(tool, {}, []), answer, user(words), next];
    const first = fingerprint(corrected('search_flights', 'That is wrong.'));
    expect(fingerprint(corrected('search_flights', 'No, I said Gatwick, not Heathrow.'))).toBe(first);
    expect(fingerprint(corrected('get_weather', 'That is wrong.'))).not.toBe(first);
    expect(fingerprint([ask, answer, user('That is wrong.'), next])).not.toBe(first);
  });

  it('quotes the sentence of the correction, also after a quotation', () => {
    const content = 'You wrote "SK880 leaves Heathrow". That is wrong. I fly from Gatwick.';
    const [detection] = detect(userCorrection, conversation([ask, answer, user(content), next]));
    expect(detection?.anchor.quotes).toMatchObject([{ quote: 'That is wrong.' }]);
  });
});

describe('corrections for others to read', () => {
  const correctionsIn = (script: Script) =>
    userCorrectionsIn(conversation(script)).map(({ corrected, turn, correction }) => [
      ...[corrected, correction].map(({ content }) => content),
      turn.length,
    ]);

  it('are those that the Rule reports at default settings, in order, with the turn that they are about', () => {
    const looked = called('search_flights', {}, []);
    const twice = [ask, ...looked, answer, user('That is wrong.'), next, user('No, I said Gatwick, not Luton.'), next];
    expect(correctionsIn(twice)).toEqual([
      [answer.content, 'That is wrong.', 3],
      [next.content, 'No, I said Gatwick, not Luton.', 1],
    ]);
  });

  it.each([
    ['a mere objection', "Actually, it's Gatwick.", next.content, 0],
    ['an objection that the agent admits', "Actually, it's Gatwick.", 'Sorry about that mistake!', 1],
    ['what is none', 'Thanks!', next.content, 0],
  ])('leave out what is doubtful: %s', (_name, words, reply, count) => {
    expect(correctionsIn([ask, answer, user(words), assistant(reply)])).toHaveLength(count);
  });
});
