const ASKED = [{ role: 'user', content: 'Cancel order 17.' }];
const USAGE = { prompt_tokens: 12, completion_tokens: 9, total_tokens: 21 };
const WINDOW = { startMs: 1_769_245_200_000, endMs: 1_769_850_000_000 };
const NEW_EXAMPLE = {
  payload: {
    input: { type: 'chat', messages: ASKED },
    expectedOutput: { type: 'text', text: 'Billing does not answer. I will try again.' },
  },
  source: { kind: 'manual', externalRef: 'case-17' },
  tags: ['reviewed'],
};

/** Bodies that are sent, by operation, where its schema alone would give a poor example. */
export const GIVEN_BODIES: Readonly<Record<string, unknown>> = {
  commentOnFinding: { text: 'Billing was down from nine to ten.' },
  createChatCompletion: { model: 'openai/gpt-5-mini', messages: ASKED },
  createCompletion: { model: 'openai/gpt-5-mini', prompt: 'Say hello.' },
  createEmbeddings: { model: 'openai/text-embedding-3-small', input: ['Cancel order 17.'] },
  createExample: NEW_EXAMPLE,
  createExamples: { examples: [NEW_EXAMPLE] },
  createInvitation: {
    email: 'ada@example.com',
    projectRoles: [{ projectId: 'prj_01KB1N5V8Q3M7Z4T6W9XC2DEFG', role: 'editor' }],
  },
  createItem: {
    goalId: 'goal_01KB1N5V8Q3M7Z4T6W9XC2DEFG',
    title: 'Approval of refunds',
    content: 'Refunds above 100 EUR are approved by a team lead.',
    kind: 'fact',
  },
  createKnowledgeBackfill: WINDOW,
  createProvider: { name: 'openai', baseUrl: 'https://api.openai.com/v1', apiKey: 'sk-...' },
  createRuleBackfill: WINDOW,
  createScore: { name: 'helpful', value: true, source: 'user', comment: 'The order was not cancelled' },
  exportLogs: { resourceLogs: [] },
  exportMetrics: { resourceMetrics: [] },
  exportTraces: {
    resourceSpans: [
      {
        scopeSpans: [
          {
            spans: [
              {
                traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
                spanId: '00f067aa0ba902b7',
                name: 'chat gpt-5-mini',
                startTimeUnixNano: '1769850000000000000',
                endTimeUnixNano: '1769850001000000000',
                attributes: [
                  { key: 'gen_ai.operation.name', value: { stringValue: 'chat' } },
                  { key: 'gen_ai.conversation.id', value: { stringValue: 'support-2041' } },
                ],
              },
            ],
          },
        ],
      },
    ],
  },
  importConversations: lineOf({
    id: 'support-2041',
    messages: [...ASKED, { role: 'assistant', content: 'Done, your order is cancelled.' }],
  }),
  importExamples: lineOf(NEW_EXAMPLE),
  receiveProviderWebhook: { action: 'closed', issue: { number: 42, state: 'closed' } },
  runModelTrial: {
    path: '/v1/chat/completions',
    contentType: 'application/json',
    body: { model: 'self/smollm2-135m-instruct', messages: ASKED },
  },
  setQuotas: { ingestedBytesPerDay: 1_073_741_824, inferenceTokensPerDay: 2_000_000 },
  snoozeFinding: { snooze: { until: 1_769_850_000_000 } },
  startModelService: { contextLength: 4_096 },
  updateExample: { tags: ['reviewed', 'split:test'] },
  updateFinding: { reviewStatus: 'confirmed' },
  updateTelemetrySettings: { telemetryRetentionDays: 90 },
};

/** Answers, by operation, that have the form of another API. */
export const GIVEN_ANSWERS: Readonly<Record<string, unknown>> = {
  createChatCompletion: {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_769_850_000,
    model: 'gpt-5-mini',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: 'Billing does not answer. I will try again.' },
        finish_reason: 'stop',
      },
    ],
    usage: USAGE,
  },
  createCompletion: {
    id: 'cmpl-1',
    object: 'text_completion',
    created: 1_769_850_000,
    model: 'gpt-5-mini',
    choices: [{ index: 0, text: 'Hello.', finish_reason: 'stop' }],
    usage: USAGE,
  },
  createEmbeddings: {
    object: 'list',
    data: [{ object: 'embedding', index: 0, embedding: [0.01, -0.02] }],
    model: 'text-embedding-3-small',
    usage: { prompt_tokens: 4, total_tokens: 4 },
  },
  createTranscription: { text: 'Cancel order seventeen.' },
  listInferenceModels: {
    object: 'list',
    data: [{ id: 'openai/gpt-5-mini', object: 'model', created: 1_769_850_000, owned_by: 'openai' }],
  },
};

function lineOf(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
