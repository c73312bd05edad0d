import { describe, expect, it } from '@jest/globals';
import { ExpectationCheck } from '@clew/contracts';
import { processorTimeMs } from '@clew/testing';
import { slowTexts, twoPieceTexts } from '@clew/testing/hostile';
import fc from 'fast-check';
import { patternProblem } from '@clew/privacy';
import { compilePrompt } from './compile-prompt.ts';

const TOOLS = [
  'get_order',
  'find_customer_by_email',
  'verify_identity',
  'cancel_order',
  'update_order_address',
  'update_order_items',
  'create_ticket',
  'issue_refund',
  'send_email',
  'web_search',
  'search',
  'end_chat',
].map((name) => ({ name }));

function checks(prompt: string): ExpectationCheck[] {
  return compilePrompt(prompt, TOOLS).map((proposal) => proposal.check);
}

const CONFIRM_CANCEL = { form: 'confirm_before', tools: ['cancel_order'] };
const ONE_CALL = { form: 'one_call_at_a_time' };
const NO_WORDS = { form: 'no_words_with_calls' };
const GROUNDED = { form: 'grounded_arguments', tools: ['*'] };

const COMPILED: readonly (readonly [string, object])[] = [
  ['Before cancelling an order, obtain explicit confirmation from the user.', CONFIRM_CANCEL],
  ['You must always get the customer’s explicit consent before you cancel an order.', CONFIRM_CANCEL],
  ['Never cancel an order without the customer’s permission.', CONFIRM_CANCEL],
  ["Don't call `cancel_order` until the user has agreed.", CONFIRM_CANCEL],
  ['Cancelling an order requires explicit confirmation.', CONFIRM_CANCEL],
  ['An order must never be cancelled before the customer has confirmed.', CONFIRM_CANCEL],
  ['Only cancel an order after the user has confirmed.', CONFIRM_CANCEL],
  ['**Confirm the details with the user** before calling cancel_order.', CONFIRM_CANCEL],
  [
    'Before making any changes, ask the user to confirm.',
    {
      form: 'confirm_before',
      tools: ['cancel_order', 'update_order_address', 'update_order_items', 'create_ticket'],
    },
  ],
  [
    'Get approval from the customer before updating or cancelling an order.',
    { form: 'confirm_before', tools: ['update_order_address', 'update_order_items', 'cancel_order'] },
  ],
  [
    'Look up the order before cancelling it.',
    { form: 'requires_first', tools: ['cancel_order'], one_of: ['get_order'] },
  ],
  [
    'Never issue a refund without first calling get_order.',
    { form: 'requires_first', tools: ['issue_refund'], one_of: ['get_order'] },
  ],
  [
    'Verify the identity of the customer before doing anything else.',
    { form: 'requires_first', tools: ['*'], one_of: ['verify_identity'] },
  ],
  [
    'Start every conversation by calling `find_customer_by_email`.',
    { form: 'requires_first', tools: ['*'], one_of: ['find_customer_by_email'] },
  ],
  ['Never cancel orders.', { form: 'never_call', tools: ['cancel_order'] }],
  ['You are not allowed to cancel orders under any circumstances.', { form: 'never_call', tools: ['cancel_order'] }],
  ['Do not use the send_email tool.', { form: 'never_call', tools: ['send_email'] }],
  ['Issue at most one refund per conversation.', { form: 'max_calls', tools: ['issue_refund'], count: 1 }],
  [
    'Never call web_search more than 3 times in a conversation.',
    { form: 'max_calls', tools: ['web_search'], count: 3 },
  ],
  ['Make no more than ten tool calls per session.', { form: 'max_calls', tools: ['*'], count: 10 }],
  ['Only make one tool call at a time.', ONE_CALL],
  ['Call one tool per turn and wait for its result.', ONE_CALL],
  ['Do not make multiple tool calls in parallel.', ONE_CALL],
  ['If you make a tool call, you should not respond to the user at the same time.', NO_WORDS],
  ['When calling a tool, do not include any text.', NO_WORDS],
  ['Either call a tool or reply to the user, never both.', NO_WORDS],
  ['Do not make up order ids.', GROUNDED],
  ['Never guess or invent email addresses.', GROUNDED],
  ['You should not provide any information not provided by the user or the tools.', GROUNDED],
  [
    'Never say "guaranteed delivery".',
    { form: 'answer_never_matches', pattern: '(?i)\\b(?:guaranteed\\s+delivery)\\b' },
  ],
  ['Do not use exclamation marks.', { form: 'answer_never_matches', pattern: '!' }],
  ['Start every reply with "Dear customer".', { form: 'answer_matches', pattern: '(?i)^\\W*Dear\\s+customer' }],
  ['Only answer with "yes" or "no".', { form: 'answer_matches', pattern: '(?i)^\\W*(?:yes|no)\\W*$' }],
  [
    'Always end the conversation with "Have a nice day!"',
    { form: 'ends_with', pattern: '(?i)Have\\s+a\\s+nice\\s+day\\W*$' },
  ],
  ['End the conversation by calling end_chat.', { form: 'ends_with', tools: ['end_chat'] }],
];

/** Sentences that look similar but express something that no form covers. */
const LEFT_OUT: readonly (readonly [string, string])[] = [
  ['a condition', 'If the order is above 100 EUR, get confirmation from the user before cancelling it.'],
  ['what follows a condition', 'If the order has shipped, do not cancel orders.'],
  ['what follows a condition later on', 'If it has shipped, tell the customer and never cancel orders.'],
  ['what follows a condition as a label', 'When it has shipped: never cancel orders.'],
  ['a condition at the end', 'Never cancel orders when they have shipped.'],
  ['an exception', 'Never cancel orders unless the customer asks for it.'],
  ['an exception in the next sentence', 'Never cancel orders. However, you may cancel orders of today.'],
  ['an exception after a comma', 'Only make one tool call at a time, except for read-only tools.'],
  ['some orders only', 'Never cancel orders that have shipped.'],
  ['some people only', 'Never cancel orders for resellers.'],
  ['a tendency', 'Try to make only one tool call at a time.'],
  ['a permission', 'You can cancel orders without the confirmation of the customer.'],
  ['no need', 'It is not necessary to get confirmation before cancelling an order.'],
  ['what the user may do', 'The user may ask for confirmation before cancelling an order.'],
  ['the word of somebody else', 'Get the approval of your supervisor before cancelling an order.'],
  ['the word of another department', 'Refunds need approval from finance before issuing a refund.'],
  ['a fact that is asked for', 'Ask for the order number before cancelling an order.'],
  ['a fact that is checked with the user', 'Check the order with the customer before cancelling it.'],
  ['the input of a tool', 'Get the email before cancelling an order.'],
  ['a tool that was not offered', 'Never delete accounts.'],
  ['a verb that several tools have', 'Never update orders.'],
  ['how often at once', 'Never cancel more than one order.'],
  ['a limit for something else', 'Issue at most one refund per order.'],
  ['several calls are welcome', 'You can make several tool calls in parallel.'],
  ['what arguments must not hold', 'When calling a tool, do not include personal data in the arguments.'],
  ['what is assumed', 'Never assume that the address is correct.'],
  ['what answers must not make up', 'Do not make up opening hours.'],
  ['a short word that means more', 'Never say "no".'],
  ['a step of a procedure', 'Reply with "OK".'],
  ['a quote with a place for something', 'Start every reply with "Dear [name]".'],
  ['a question', 'Should you get confirmation from the user before cancelling an order?'],
  ['a plain word that is also a tool', 'Think about the search before cancelling an order.'],
  [
    'a list under a condition',
    'If the customer is angry:\n- Never cancel orders.\n- Only make one tool call at a time.',
  ],
  ['a heading for some', '## VIP customers\n\n- Never cancel orders.'],
  ['an example', '# Examples\n\nNever cancel orders.'],
  ['code', '```\nNever cancel orders.\n```'],
  ['a tagged example', '<example>\nNever cancel orders.\n</example>'],
  ['what somebody says in a dialogue', 'User: Never cancel orders.'],
];

describe('the grammar', () => {
  it.each(COMPILED)('reads: %s', (sentence, check) => {
    expect(checks(sentence)).toEqual([check]);
  });

  it.each(LEFT_OUT)('leaves out %s', (_, prompt) => {
    expect(checks(prompt)).toEqual([]);
  });

  it('reads two rules in one sentence', () => {
    const sentence = 'Make one tool call at a time, and if you make a tool call, do not reply to the user.';
    expect(checks(sentence)).toEqual([ONE_CALL, NO_WORDS]);
  });

  it('reads the items of a list whose first line forbids', () => {
    expect(checks('You must never:\n- cancel orders\n- issue refunds')).toEqual([
      { form: 'never_call', tools: ['cancel_order'] },
      { form: 'never_call', tools: ['issue_refund'] },
    ]);
  });

  it('reads a sentence that is broken over lines, and quotes it as it stands', () => {
    const prompt = 'You help people.\nNever cancel\norders.';
    expect(compilePrompt(prompt, TOOLS)[0]?.quote).toBe('Never cancel\norders.');
  });

  it('says each thing once, and for the agent that is named', () => {
    const prompt = 'Never cancel orders.\n\nDo not cancel orders.';
    expect(compilePrompt(prompt, TOOLS, { agent: 'support' }).map((proposal) => proposal.check)).toEqual([
      { form: 'never_call', tools: ['cancel_order'], agent: 'support' },
    ]);
  });

  it('gives the same for whatever order the tools come in, as sets', () => {
    const names = (prompt: string, tools: typeof TOOLS): unknown =>
      compilePrompt(prompt, tools).map(({ check }) => ('tools' in check ? check.tools?.toSorted() : check));
    const prompt = 'Before making any changes, ask the user to confirm.';
    fc.assert(
      fc.property(fc.shuffledSubarray(TOOLS, { minLength: TOOLS.length }), (shuffled) => {
        expect(names(prompt, shuffled)).toEqual(names(prompt, TOOLS));
      }),
    );
  });

  it('every proposal quotes its prompt exactly and passes the contract, whatever surrounds the sentence', () => {
    const sentence = fc.constantFrom(...COMPILED.map(([text]) => text), ...LEFT_OUT.map(([, text]) => text));
    const line = fc.oneof(sentence, fc.string(), fc.string({ unit: 'grapheme' }));
    const marker = fc.constantFrom('', '- ', '* ', '12. ', 'a) ', '# ', '  - ', '> ', '**', '```\n');
    const prompts = fc.array(fc.tuple(marker, line), { maxLength: 12 });
    fc.assert(
      fc.property(prompts, (lines) => {
        const prompt = lines.map(([mark, text]) => `${mark}${text}`).join('\n');
        for (const proposal of compilePrompt(prompt, TOOLS)) {
          expect(prompt).toContain(proposal.quote);
          expect(ExpectationCheck.safeParse(proposal.check).success).toBe(true);
          if ('pattern' in proposal.check) expect(patternProblem(proposal.check.pattern ?? '')).toBeUndefined();
        }
      }),
    );
  });

  it('takes time that is linear in the length of a prompt, whatever it holds', () => {
    expect(slowTexts((text) => compilePrompt(text, TOOLS), twoPieceTexts(), { length: 5_000, floorMs: 25 })).toEqual(
      [],
    );
  }, 300_000);

  it.each(['!', '"a. ', '!"', '# a\n', 'name id '])('compiles 100 KB of %j in a second', (piece) => {
    const startedAtMs = processorTimeMs();
    compilePrompt(piece.repeat(100_000 / piece.length), TOOLS);
    expect(processorTimeMs() - startedAtMs).toBeLessThan(1_000);
  });
});
