import type { ChatRequest, Reply } from '@clew/testing/provider';
import type { z } from 'zod';
import type { ItemAnswer, ResponseAnswer, SecondLookAnswer } from '../synthesis/answers.ts';
import type { AskModel, Question } from '../synthesis/ask-model.ts';

/** Model of a test, with the questions that it was asked. */
export interface TestModel {
  ask: AskModel;
  asked: Question<z.ZodType>[];
}

/** Model that gives these answers; without the second one, it cannot be asked again. */
export function answering(first: ResponseAnswer | ItemAnswer, second?: SecondLookAnswer): TestModel {
  return modelOf(({ name }) => (name === 'synthesis' ? first : second));
}

/** Model that gives the answers of a scripted provider, and none where they do not fit. */
export function speaking(reply: Reply): TestModel {
  return modelOf(async ({ messages, schema }) => {
    const request: ChatRequest = { model: 'loop/wise', messages: [...messages] };
    const { text = '' } = await reply(request);
    return schema.safeParse(JSON.parse(text)).data;
  });
}

function modelOf(answer: (question: Question<z.ZodType>) => unknown): TestModel {
  const asked: TestModel['asked'] = [];
  const ask = (async (question: Question<z.ZodType>) => {
    asked.push(question);
    return await answer(question);
  }) as AskModel;
  return { ask, asked };
}

/** All text that a model was shown. */
export function shownTo({ asked }: TestModel): string {
  return asked.flatMap(({ messages }) => messages.map(({ content }) => content)).join('\n');
}

export function says(right: SecondLookAnswer['right']): SecondLookAnswer {
  return { against: '', because: 'It is so.', right };
}

/** Response that corrects `RETURNED`. */
export const GOOD_RESPONSE: ResponseAnswer = {
  reasoning: 'The rules demand a confirmation first.',
  known: true,
  content: "I'll gladly return the lamp of order W1042, Zoe. The $48 would go back to card_77. Shall I go on?",
  toolCalls: [],
  quotes: [
    { messageIndex: 0, quote: 'ask whether to go on' },
    { messageIndex: 3, quote: '"payment":"card_77"' },
  ],
  persons: [],
};

/** Question and answer about the item of `itemOf`. */
export const GOOD_ITEM_ANSWER: ItemAnswer = {
  reasoning: 'Support staff ask this.',
  suitable: true,
  question: 'Who has to approve a refund of more than 500 euros?',
  answer: 'Refunds above 500 euros need the approval of Marta Lind.',
  quotes: ['need the approval of Marta Lind'],
  persons: [],
};
