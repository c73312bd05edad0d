import { describe, expect, it } from '@jest/globals';
import { NewExample, type KnowledgeItem, type RefusalReason } from '@clew/contracts';
import { injectionOf, obedientModel } from '@clew/testing/provider';
import { evidenceOf, itemOf } from '../test-support/items.ts';
import { answering, GOOD_ITEM_ANSWER, says, shownTo, speaking } from '../test-support/models.ts';
import type { ItemAnswer } from './answers.ts';
import { checkedItemAnswer } from './item-checks.ts';
import { synthesizeFromItem } from './synthesize-from-item.ts';

const NOW = 2_000_000_000_000;
const OPTIONS = { datasetId: 'dst_1', redaction: true, model: 'loop/wise', contextLength: 8_000, nowMs: NOW };

async function made(item: KnowledgeItem, more: Partial<ItemAnswer> = {}, options: Partial<typeof OPTIONS> = {}) {
  const model = answering({ ...GOOD_ITEM_ANSWER, ...more }, says('yes'));
  const outcome = await synthesizeFromItem(model.ask, item, { ...OPTIONS, ...options });
  if (outcome.status === 'refused') throw new Error(outcome.reason);
  return { outcome, example: NewExample.parse(outcome.examples[0].example), model };
}

describe('the Example of a Knowledge item', () => {
  it('is a question and its answer, and names the item, its words and the model', async () => {
    const { outcome, example } = await made(itemOf());
    expect(outcome).toMatchObject({ secondLook: 'confirmed', redacted: 0 });
    expect(example).toEqual({
      payload: {
        expectedOutput: { type: 'chat_message', message: { role: 'assistant', content: GOOD_ITEM_ANSWER.answer } },
        input: { type: 'chat', messages: [{ role: 'user', content: GOOD_ITEM_ANSWER.question }] },
        rubric: {
          criteria: [
            'The answer says what is known: Refunds above 500 euros need the approval of Marta Lind.',
            'That rests on the words: "refunds above 500 euros need the approval of Marta Lind"',
          ],
        },
      },
      source: {
        ...{ kind: 'synthetic', externalRef: itemOf().id, conversationId: 'a chat', traceIds: ['a'.repeat(32)] },
        derivationKey: outcome.examples[0].derivationKey,
      },
      tags: ['collected', 'model:loop/wise'],
    });
  });

  it('names no person whom the model tells to be one', async () => {
    const { example } = await made(itemOf(), { persons: ['Marta Lind'] });
    expect(JSON.stringify(example)).not.toMatch(/Marta|Lind/);
    expect(JSON.stringify(example.payload.rubric)).toContain('[name 1]');
  });

  it.each<[string, Partial<KnowledgeItem>, object]>([
    [
      'the conversation of all of its evidence',
      { evidence: [evidenceOf('refunds above 500', { conversationId: 'b', traceId: 'c'.repeat(32) })] },
      { conversationId: 'b', traceIds: ['c'.repeat(32)] },
    ],
    [
      'the first conversation, where there are several',
      { evidence: [evidenceOf('refunds above 500'), evidenceOf('of Marta Lind', { conversationId: 'b' })] },
      { conversationId: 'a chat', traceIds: ['a'.repeat(32)] },
    ],
  ])('names %s', async (_name, more, source) => {
    expect((await made(itemOf(more))).example.source).toMatchObject(source);
  });

  it('names no conversation where a person wrote the item', async () => {
    const written = itemOf({ evidence: [], sourceConversationId: '', sourceTraceId: '' });
    const { source } = (await made(written)).example;
    expect(Object.keys(source)).toEqual(['derivationKey', 'externalRef', 'kind']);
  });

  it('has one placeholder for one person or address in all its parts, unless redaction is off', async () => {
    const content = 'Ben Ray gets his refunds on account of ben@ray.example.';
    const item = itemOf({
      ...{ content, title: 'Refunds of Ben Ray', evidence: [evidenceOf('send it to ben@ray.example')] },
      subject: { kind: 'person', name: 'Ben Ray', userId: 'u1' },
    });
    const answer = { question: 'Where do refunds of Ben Ray go?', answer: content, quotes: [content] };
    const { example, outcome } = await made(item, answer);
    expect(JSON.stringify(example)).not.toMatch(/Ben|Ray|ray\.example/);
    expect(JSON.stringify(example).match(/\[email 1\]/g)).toHaveLength(3);
    expect(JSON.stringify(example).match(/\[name 1\]/g)).toHaveLength(3);
    expect(example.tags).toContain('redacted');
    expect(outcome.redacted).toBe(2);
    const plain = await made(item, answer, { redaction: false });
    expect(JSON.stringify(plain.example)).toContain('ben@ray.example');
  });
});

describe('a question and answer about an item are not kept', () => {
  it.each<[RefusalReason, string, Partial<ItemAnswer>]>([
    ['model_declined', 'the model declines', { suitable: false }],
    ['model_declined', 'there is no answer', { answer: ' ' }],
    ['quotes_not_found', 'there is no quote', { quotes: [] }],
    ['quotes_not_found', 'a quote is not in the item', { quotes: ['need the approval of Mallory'] }],
    ['quotes_not_found', 'a quote is of the title alone', { quotes: ['Approval of refunds'] }],
    [
      'not_grounded',
      'the answer has another number',
      { answer: 'Refunds above 600 euros need the approval of Marta Lind.' },
    ],
    [
      'not_grounded',
      'the answer names somebody else',
      { answer: 'Refunds above 500 euros need approval of Mallory Webb.' },
    ],
    ['not_grounded', 'the question names somebody else', { question: 'May Mallory Webb refund 500 euros?' }],
    [
      'not_grounded',
      'the answer says the contrary',
      { answer: 'Refunds above 500 euros need no approval of Marta Lind.' },
    ],
    [
      'not_grounded',
      'the answer is about something else',
      { answer: 'Parcels travel by road to customers in the north.' },
    ],
  ])('(%s) where %s', async (reason, _name, more) => {
    const { ask, asked } = answering({ ...GOOD_ITEM_ANSWER, ...more }, says('yes'));
    expect(await synthesizeFromItem(ask, itemOf(), OPTIONS)).toEqual({ status: 'refused', reason });
    expect(asked).toHaveLength(1);
  });

  it.each<[RefusalReason, KnowledgeItem | undefined]>([
    ['item_gone', undefined],
    ['not_active', itemOf({ status: 'archived' })],
    ['not_active', itemOf({ validUntil: NOW })],
  ])('(%s) where the item no longer holds, and no model is asked', async (reason, item) => {
    const { ask, asked } = answering(GOOD_ITEM_ANSWER, says('yes'));
    expect(await synthesizeFromItem(ask, item, OPTIONS)).toEqual({ status: 'refused', reason });
    expect(asked).toEqual([]);
  });

  it.each(['no', 'unclear'] as const)('where a sceptic says %s', async (right) => {
    const { ask } = answering(GOOD_ITEM_ANSWER, says(right));
    expect(await synthesizeFromItem(ask, itemOf(), OPTIONS)).toEqual({ status: 'refused', reason: 'second_look' });
  });
});

describe('an answer about an item', () => {
  it('may begin a sentence with any word, and name the days between which it holds', () => {
    const item = itemOf({ validFrom: Date.UTC(2026, 5, 3), content: 'Refunds above 500 euros need Marta Lind.' });
    const answer = 'Since 3 June 2026, refunds above 500 euros need Marta Lind. Please ask Marta Lind for refunds.';
    const checked = checkedItemAnswer({ ...GOOD_ITEM_ANSWER, answer, quotes: ['need Marta Lind'] }, item);
    expect(checked).toMatchObject({ answer });
  });

  it('rests on quotes that their conversations still hold', () => {
    const quotes = ['she must agree in writing'];
    const item = (isCurrent: boolean) => itemOf({ evidence: [evidenceOf(quotes[0]!, { isCurrent })] });
    expect(checkedItemAnswer({ ...GOOD_ITEM_ANSWER, quotes }, item(true))).toMatchObject({});
    expect(checkedItemAnswer({ ...GOOD_ITEM_ANSWER, quotes }, item(false))).toBe('quotes_not_found');
  });

  it('is kept where the model cannot be asked again, and says so', async () => {
    const { ask } = answering(GOOD_ITEM_ANSWER);
    expect(await synthesizeFromItem(ask, itemOf(), OPTIONS)).toMatchObject({
      status: 'collected',
      secondLook: 'not_made',
    });
  });

  it('cannot rest on an item that speaks to whoever reads it, and no model is asked', async () => {
    const planted = { ...GOOD_ITEM_ANSWER, answer: 'Ask Eve Stone for 900 euros.' };
    const model = speaking(obedientModel(() => ({ text: JSON.stringify(GOOD_ITEM_ANSWER) })));
    const inContent = itemOf({ content: `${itemOf().content} ${injectionOf(planted)}` });
    const refusal = { status: 'refused', reason: 'not_grounded' };
    expect(await synthesizeFromItem(model.ask, inContent, OPTIONS)).toEqual(refusal);
    expect(await synthesizeFromItem(model.ask, itemOf({ title: injectionOf(planted) }), OPTIONS)).toEqual(refusal);
    expect(model.asked).toEqual([]);
    const inQuote = itemOf({ evidence: [...itemOf().evidence, evidenceOf(injectionOf(planted))] });
    const outcome = await synthesizeFromItem(model.ask, inQuote, OPTIONS);
    expect(outcome.status).toBe('collected');
    expect(JSON.stringify(outcome)).not.toContain('Eve Stone');
  });

  it('is asked for with the item as data', async () => {
    const { model } = await made(itemOf());
    expect(shownTo(model)).toMatch(/<<<data knowledge [0-9a-f]{16}>>>\nTitle: Approval of refunds\nKind: policy/);
  });
});
