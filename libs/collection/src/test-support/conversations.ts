import type {
  ConversationSnapshot,
  DiagnosedConversation,
  DiagnosedProblem,
  SnapshotMessage,
  ToolDefinition,
} from '@clew/contracts';

/** Message of a test, without its place. */
export type Said = Partial<SnapshotMessage> & Pick<SnapshotMessage, 'role'>;

const STARTED_AT = 1_777_800_000_000;

/** Snapshot of a conversation with these messages. */
export function snapshotOf(said: readonly Said[], more: Partial<ConversationSnapshot> = {}): ConversationSnapshot {
  const place = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };
  return {
    ...{ snapshotId: 'cesr_1', projectId: 'prj_1', conversationId: 'c', contentHash: 'h', revision: 1 },
    ...{ scope: 'conversation', startedAt: STARTED_AT, throughMs: STARTED_AT + said.length, truncated: false },
    ...{ agents: [], models: [], userId: null, tools: [], scores: [], ...more },
    messages: said.map((message, index) => ({
      ...{ content: '', ...place, atMs: STARTED_AT + index * 1_000, ...message, index },
    })),
  };
}

export const ORDER_TOOLS: readonly ToolDefinition[] = [
  {
    name: 'get_order',
    description: 'Reads an order.',
    parameters: { type: 'object', properties: { order_id: { type: 'string' } }, required: ['order_id'] },
  },
  {
    name: 'return_order',
    description: 'Takes an order back and refunds it.',
    parameters: {
      type: 'object',
      properties: { order_id: { type: 'string' }, payment: { type: 'string' } },
      required: ['order_id', 'payment'],
    },
  },
];

/** Step at which the assistant of `RETURNED` refunds to a gift card that nobody has. */
export const RETURN_STEP = 4;

/** Conversation in which an assistant returns an order without asking, and to a payment method that it made up. */
export const RETURNED: readonly Said[] = [
  {
    role: 'system',
    content:
      'You are the agent of Brook Books. Refunds go to the original payment method. Before you return an order, tell the user the order and the payment method, and ask whether to go on.',
  },
  { role: 'user', content: 'Please return order W1042, the lamp. I am zoe@quill.example.', name: 'Zoe Quill' },
  { role: 'assistant', toolCalls: [{ id: 'k1', name: 'get_order', arguments: { order_id: 'W1042' } }] },
  {
    role: 'tool',
    toolCallId: 'k1',
    name: 'get_order',
    content: '{"order_id":"W1042","item":"lamp","total":"48.00","payment":"card_77"}',
  },
  {
    role: 'assistant',
    toolCalls: [{ id: 'k2', name: 'return_order', arguments: { order_id: 'W1042', payment: 'gift_12' } }],
  },
  { role: 'tool', toolCallId: 'k2', name: 'return_order', content: '{"status":"returned","payment":"gift_12"}' },
  { role: 'assistant', content: 'Your lamp is returned, and the money is on gift card gift_12.' },
  { role: 'user', content: 'What? I have no gift card.', name: 'Zoe Quill' },
];

export const returned = (more: Partial<ConversationSnapshot> = {}) =>
  snapshotOf(RETURNED, { tools: [...ORDER_TOOLS], ...more });

/** Conversation in which the user knows better how long parcels take. */
export const CORRECTED: readonly Said[] = [
  { role: 'system', content: 'You are the agent of Brook Parcels. Parcels go by road.' },
  { role: 'user', content: 'How long do parcels to Norway take?' },
  { role: 'assistant', content: 'Parcels to Norway take 3 days.' },
  { role: 'user', content: "That's wrong. Parcels to Norway take 9 days by road." },
  { role: 'assistant', content: 'You are right, I apologize for the mistake. Customs took 4 days of these.' },
];

/** Occurrence of a grave Finding at a step. */
export function problemAt(stepIndex: number, more: Partial<DiagnosedProblem> = {}): DiagnosedProblem {
  const place = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), stepIndex, quotes: [{ quote: 'gift_12' }] };
  return {
    ...{ findingId: 'fnd_1', ruleKey: 'made_up_value', severity: 'high', title: 'The agent makes up a payment method' },
    ...{ causeAssessment: 'No message before the call has it.', remediationHint: 'Look it up or ask first.' },
    ...{ anchor: place, location: place, reviewStatus: 'unreviewed', resolutionStatus: 'unresolved', ...more },
  };
}

/** Conversation that has been analysed, with these problems. */
export function diagnosedWith(...problems: DiagnosedProblem[]): DiagnosedConversation {
  return { conversationId: 'c', snapshotId: 'cesr_1', score: 0.9, problems };
}
