import { describe, expect, it } from '@jest/globals';
import { DEFAULT_MASKING, type PrivacySettings, type TelemetryGroup } from '@clew/contracts';
import { assembleConversation } from '@clew/conversation';
import {
  CONTENT_MODES,
  DIALECTS,
  encodeConversation,
  toTelemetryGroups,
  type ScriptedConversation,
} from '@clew/testing/dialects';
import { lengthNotCaptured } from './not-captured.ts';
import { createProtectMessage } from './protect-messages.ts';
import { createProtector } from './protector.ts';

const MASKED: PrivacySettings = { masking: { ...DEFAULT_MASKING, enabled: true }, contentCapture: 'full', salt: 's' };
const STRUCTURE: PrivacySettings = { masking: DEFAULT_MASKING, contentCapture: 'structure', salt: 's' };
const EMAIL = 'canary.bird@mail.com';
const SECRET = `sk-${'aB3dE5fG7hJ9'.repeat(3)}`;

const SCRIPT: ScriptedConversation = {
  conversationId: `chat of ${EMAIL}`,
  agent: 'shop-agent',
  model: 'gpt-5',
  userId: EMAIL,
  tools: [{ name: 'find_order', description: 'canary of a tool', parameters: { type: 'object', properties: {} } }],
  messages: [
    { role: 'system', content: 'You are the canary shop, +49 170 1234567.' },
    { role: 'user', content: `Hello canary, I am ${EMAIL}, order #W1234567.` },
    {
      role: 'assistant',
      content: 'Let me look, canary.',
      toolCalls: [{ id: 'call_1', name: 'find_order', arguments: { email: EMAIL, name: 'Canary', count: 4711 } }],
    },
    {
      role: 'tool',
      content: JSON.stringify({ owner: EMAIL, role: 'canary', name: 'Canary Bird' }),
      toolCallId: 'call_1',
    },
    { role: 'assistant', content: `Your key is ${SECRET}, canary.` },
    { role: 'user', content: 'ok' },
    { role: 'assistant', content: 'Bye, canary!' },
  ],
};

const FORMS = [
  ...DIALECTS.map((dialect) => ({ dialect, content: 'attributes' as const })),
  ...CONTENT_MODES.slice(1).map((content) => ({ dialect: 'genai' as const, content })),
];

function told(form: (typeof FORMS)[number], history: 'full' | 'incremental' = 'full'): TelemetryGroup[] {
  return toTelemetryGroups(encodeConversation(SCRIPT, { ...form, history, startMs: 1_780_000_000_000, idSeed: 'x' }));
}

function assembled(groups: readonly TelemetryGroup[]) {
  return assembleConversation({
    spans: groups.flatMap(({ spans, resource, scopeName }) => spans.map((span) => ({ ...span, resource, scopeName }))),
    logs: groups.flatMap(({ logs }) => logs),
  });
}

describe.each(FORMS)('$dialect, $content', (form) => {
  it('masked, it is the same conversation without secrets and personal data', () => {
    const groups = told(form).map(createProtector(MASKED).group);
    expect(JSON.stringify(groups)).not.toMatch(/canary\.bird|aB3dE5fG7|170 1234567/);
    const { messages } = assembled(groups);
    expect(messages.map(({ role }) => role)).toEqual(assembled(told(form)).messages.map(({ role }) => role));
    const said = JSON.stringify(messages);
    expect(said).toContain('Hello canary, I am [masked email], order #W1234567.');
    expect(said).toContain('Your key is [masked secret], canary.');
    expect(messages.flatMap(({ toolCalls = [] }) => toolCalls)[0]?.arguments).toMatchObject({
      email: '[masked email]',
    });
  });

  it.each(['full', 'incremental'] as const)(
    'its structure has no word of it, and the same messages: %s history',
    (history) => {
      const whole = assembled(told(form, history));
      const groups = told(form, history).map(createProtector(STRUCTURE).group);
      expect(JSON.stringify(groups)).not.toMatch(/canary(?! shop-agent)|Hello|aB3dE5fG7|4711|1234567/i);
      const { messages, agents, models, usage } = assembled(groups);
      const shape = (all: typeof messages) =>
        all.map(({ role, toolCalls = [] }) => [role, toolCalls.map(({ name }) => name)]);
      expect(shape(messages)).toEqual(shape(whole.messages));
      expect({ agents, models, usage }).toEqual({ agents: whole.agents, models: whole.models, usage: whole.usage });
      expect(messages.filter(({ role }) => role === 'user').map(({ content }) => lengthNotCaptured(content))).toEqual(
        whole.messages.filter(({ role }) => role === 'user').map(({ content }) => content.length),
      );
    },
  );
});

it('ids that hold personal data become others, the same ones each time, and different ones stay different', () => {
  const [one, again, other] = [
    createProtector(MASKED),
    createProtector(MASKED),
    createProtector({ ...MASKED, salt: 't' }),
  ];
  expect(one.id(EMAIL)).toMatch(/^masked-[0-9a-f]{24}$/);
  expect(again.id(EMAIL)).toBe(one.id(EMAIL));
  expect(one.id(`x${EMAIL}`)).not.toBe(one.id(EMAIL));
  expect(other.id(EMAIL)).not.toBe(one.id(EMAIL));
  expect(one.id('session-42')).toBe('session-42');
});

it('a message is protected in the same way each time, and what is not masked stays', () => {
  const message = { id: 'evt_1', data: { receivedAt: 1, groups: told({ dialect: 'genai', content: 'attributes' }) } };
  const body = Buffer.from(JSON.stringify(message));
  const first = createProtectMessage()({ body, privacy: MASKED });
  expect(Buffer.from(createProtectMessage()({ body, privacy: MASKED }))).toEqual(Buffer.from(first));
  const nothing = { ...MASKED, masking: { ...MASKED.masking, allow: [], builtIn: { ...allOff() } } };
  expect(JSON.parse(Buffer.from(createProtectMessage()({ body, privacy: nothing })).toString())).toEqual(message);
});

function allOff() {
  return Object.fromEntries(
    Object.keys(DEFAULT_MASKING.builtIn).map((name) => [name, false]),
  ) as typeof DEFAULT_MASKING.builtIn;
}
