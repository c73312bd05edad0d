import type { ScriptedConversation } from '@clew/testing';

/** Conversation in which a tool fails and the agent claims success: an obvious unhandled tool error. */
export function failingToolConversation(conversationId: string): ScriptedConversation {
  return {
    conversationId,
    agent: 'order-desk',
    model: 'gpt-4o-mini',
    userId: 'user-1',
    messages: [
      { role: 'system', content: 'You help with orders.' },
      { role: 'user', content: `Please cancel order ${conversationId}.` },
      { role: 'assistant', content: '', toolCalls: [{ id: 'call_1', name: 'cancel_order', arguments: { id: 17 } }] },
      { role: 'tool', toolCallId: 'call_1', name: 'cancel_order', content: 'Error: 503 from billing', isError: true },
      { role: 'assistant', content: 'Your order has been cancelled. Have a nice day!', finishReason: 'stop' },
    ],
  };
}

/** Conversation without any problem, with parallel calls, an empty tool result and a repeated answer. */
export function cleanConversation(conversationId: string): ScriptedConversation {
  return {
    conversationId,
    agent: 'order-desk',
    model: 'gpt-4o-mini',
    messages: [
      { role: 'system', content: 'You help with orders.' },
      { role: 'user', content: 'Where are my orders 17 and 18?' },
      {
        role: 'assistant',
        content: '',
        toolCalls: [
          { id: 'call_1', name: 'find_order', arguments: { id: 17 } },
          { id: 'call_2', name: 'find_order', arguments: { id: 18 } },
        ],
      },
      { role: 'tool', toolCallId: 'call_1', name: 'find_order', content: '' },
      { role: 'tool', toolCallId: 'call_2', name: 'find_order', content: '{"status":"on its way"}' },
      { role: 'assistant', content: 'Order 18 is on its way. I cannot find order 17: is the number right?' },
      { role: 'user', content: 'yes' },
      { role: 'assistant', content: 'Then I will ask the warehouse about 17. Shall I write to you tomorrow?' },
      { role: 'user', content: 'yes' },
      { role: 'assistant', content: 'Good, you will hear from me tomorrow.', finishReason: 'stop' },
    ],
  };
}

/** Conversation in which the agent cancels an order without asking, although its prompt requires consent. */
export function unconfirmedConversation(conversationId: string): ScriptedConversation {
  return {
    conversationId,
    agent: 'order-desk',
    model: 'gpt-4o-mini',
    messages: [
      {
        role: 'system',
        content: 'You help with orders. Never cancel an order without the explicit consent of the user.',
      },
      { role: 'user', content: 'I do not know what to do about my order 17, it comes so late.' },
      { role: 'assistant', content: '', toolCalls: [{ id: 'call_1', name: 'cancel_order', arguments: { id: 17 } }] },
      { role: 'tool', toolCallId: 'call_1', name: 'cancel_order', content: '{"status":"cancelled"}' },
      { role: 'assistant', content: 'Order 17 is cancelled.', finishReason: 'stop' },
    ],
  };
}

/** Address of the user of `cancelledOrder`. */
export const MAIL = 'anna.kowalska@example.org';
/** Confirmation of a user who wants nothing more. */
export const THANKS = { role: 'user', content: 'Perfect, thank you, that is all.' } as const;

/** Conversation in which an order is cancelled as the user wants. */
export function cancelledOrder(
  conversationId: string,
  more: ScriptedConversation['messages'] = [THANKS],
): ScriptedConversation {
  return {
    ...{ conversationId, agent: 'order-desk', model: 'gpt-4o-mini', userId: 'user-1' },
    messages: [
      { role: 'system', content: 'You help with orders.' },
      { role: 'user', content: `Please cancel order ${conversationId}, and write to ${MAIL}.` },
      { role: 'assistant', content: `Shall I cancel order ${conversationId}?` },
      { role: 'user', content: 'Yes, please.' },
      { role: 'assistant', content: '', toolCalls: [{ id: 'call_1', name: 'cancel_order', arguments: { to: MAIL } }] },
      { role: 'tool', toolCallId: 'call_1', name: 'cancel_order', content: '{"status":"cancelled"}' },
      { role: 'assistant', content: `Order ${conversationId} is cancelled.`, finishReason: 'stop' },
      ...more,
    ],
  };
}
