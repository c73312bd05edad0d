import type { ConversationMessage, ConversationSnapshot, ExpectationCheck } from '@clew/contracts';
import type { EvaluatedExpectation } from '@clew/rules';

const CHECKS: readonly ExpectationCheck[] = [
  { form: 'confirm_before', tools: ['cancel_order', 'update_*', 'issue_refund'] },
  { form: 'requires_first', tools: ['*'], one_of: ['find_customer'] },
  { form: 'never_call', tools: ['delete_*'] },
  { form: 'max_calls', tools: ['issue_refund'], count: 1 },
  { form: 'one_call_at_a_time' },
  { form: 'no_words_with_calls' },
  { form: 'grounded_arguments', tools: ['*'] },
  { form: 'answer_matches', pattern: '(?i)[.!?]\\s*$' },
  { form: 'answer_never_matches', pattern: '(?i)\\b(?:as an ai|language model|guaranteed)\\b' },
  { form: 'ends_with', pattern: '(?i)have a nice day\\W*$' },
];

/** One Expectation of each form. */
export const TEN_EXPECTATIONS: readonly EvaluatedExpectation[] = CHECKS.map((check, index) => ({
  id: `exp_${String(index).padStart(26, '0')}`,
  statement: check.form,
  severity: 'medium',
  check,
}));

const PROMPT =
  'You are the assistant of a shop. Before changing an order, list the details and obtain explicit confirmation from the customer. ' +
  'Find the customer first. Make one tool call at a time. Never make up order numbers. End with "Have a nice day!". '.repeat(
    12,
  );

/**
 * Conversation of 30 messages in a shop. Values vary with the index, and every third one does not ask for a
 * confirmation.
 */
export function supportConversation(index: number): ConversationSnapshot {
  const order = `W${100_000 + index}`;
  const product = `a lamp of brushed brass with a shade of linen, number ${index}`;
  const messages: Pick<ConversationMessage, 'role' | 'content' | 'toolCalls'>[] = [
    { role: 'system', content: PROMPT },
    {
      role: 'user',
      content: `Hi, I would like to look at my order ${order}. I am Ada Example, ada${index}@mail.example.`,
    },
    call('find_customer', { email: `ada${index}@mail.example` }),
    result({ customer_id: `cus_${index}88`, orders: [order], address: '12 Long Street, Springfield' }),
    { role: 'assistant', content: `Thank you, Ada. I found your profile. What would you like to know about ${order}?` },
  ];
  for (let step = 0; messages.length < 22; step += 1) {
    messages.push(
      {
        role: 'user',
        content: `What about part ${step} of it, when does it arrive and can it come to my office instead?`,
      },
      call('get_order_details', { order_id: order, part: step }),
      result({
        order_id: order,
        items: [{ item_id: `itm_${index}${step}7`, name: product, price: 40.5 + step, status: 'pending' }],
      }),
      {
        role: 'assistant',
        content: `Part ${step} is ${product}. It costs $${40.5 + step} and arrives on Friday. Shall I change the address of the order?`,
      },
    );
  }
  const agrees = index % 3 !== 0;
  messages.push(
    { role: 'user', content: 'I would rather have it cancelled.' },
    {
      role: 'assistant',
      content: `I can cancel order ${order} and refund $40.5. ${agrees ? 'Shall I go ahead?' : 'Let me see.'}`,
    },
    { role: 'user', content: agrees ? 'Yes, please go ahead.' : 'How long would that take?' },
    call('cancel_order', { order_id: order, reason: 'no longer needed' }),
    result({ order_id: order, status: 'cancelled' }),
    { role: 'assistant', content: `Order ${order} is cancelled. Have a nice day!` },
    { role: 'user', content: 'Thank you.' },
    { role: 'assistant', content: 'You are welcome. Have a nice day!' },
  );
  return snapshotOf(index, messages.slice(0, 30));
}

function call(name: string, args: unknown): Pick<ConversationMessage, 'role' | 'content' | 'toolCalls'> {
  return { role: 'assistant', content: '', toolCalls: [{ name, arguments: args }] };
}

function result(value: unknown): Pick<ConversationMessage, 'role' | 'content'> {
  return { role: 'tool', content: JSON.stringify(value) };
}

function snapshotOf(
  index: number,
  messages: readonly Pick<ConversationMessage, 'role' | 'content' | 'toolCalls'>[],
): ConversationSnapshot {
  const startedAt = 1_790_000_000_000;
  return {
    snapshotId: 'cesr_00000000000000000000000000',
    projectId: 'prj_00000000000000000000000000',
    conversationId: `conversation-${index}`,
    contentHash: String(index),
    revision: 1,
    scope: 'conversation',
    startedAt,
    throughMs: startedAt + messages.length * 1000,
    agents: ['assistant'],
    models: ['model'],
    userId: null,
    truncated: false,
    messages: messages.map((message, step) => ({
      ...message,
      index: step,
      traceId: 'a'.repeat(32),
      spanId: step.toString(16).padStart(16, '0'),
      atMs: startedAt + step * 1000,
    })),
    tools: [],
    scores: [],
  };
}
