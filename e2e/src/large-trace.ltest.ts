import { expect, it } from '@jest/globals';
import type { Conversation, Erasure } from '@clew/contracts';
import { eventually } from '@clew/testing';
import { callApi } from './support/api.ts';
import { processes } from './support/chaos.ts';
import { createTestProject } from './support/test-project.ts';

const TRACE_ID = '5a'.repeat(16);
const CONVERSATIONS = 300;
const SPANS_OF_EACH = 1_000;
const SPANS_OF_BODY = 2_000;
const PATIENCE = { timeoutMs: 600_000, intervalMs: 1_000 };
const TIMEOUT_MS = 1_200_000;
const STARTED_AT = Date.now() - 3_600_000;

const names = Array.from({ length: CONVERSATIONS }, (_, index) => `job-${String(index).padStart(3, '0')}`);
const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } });
const spanIdOf = (index: number) => (index + 1).toString(16).padStart(16, '0');

/**
 * Spans of one chain: the first span of each conversation names it, and each later span is a child of the previous one.
 */
function spanAt(index: number) {
  const isFirst = index % SPANS_OF_EACH === 0;
  const name = names[Math.floor(index / SPANS_OF_EACH)] ?? '';
  const startMs = STARTED_AT + index;
  return {
    ...{ traceId: TRACE_ID, spanId: spanIdOf(index), name: isFirst ? 'chat' : 'step', kind: 1 },
    ...(isFirst ? {} : { parentSpanId: spanIdOf(index - 1) }),
    ...{ startTimeUnixNano: `${startMs}000000`, endTimeUnixNano: `${startMs + 1}000000` },
    attributes: isFirst
      ? [
          attribute('gen_ai.operation.name', 'chat'),
          attribute('gen_ai.conversation.id', name),
          attribute(
            'gen_ai.input.messages',
            JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: `Do ${name}` }] }]),
          ),
        ]
      : [],
  };
}

const warehousePid = () => processes().find(({ name }) => name === 'telemetry-warehouse')?.pid;

it(
  `a trace of ${CONVERSATIONS * SPANS_OF_EACH} spans and ${CONVERSATIONS} conversations is assembled, and one of them erased, in a heap that cannot hold it`,
  async () => {
    const project = await createTestProject('large-trace');
    const pid = warehousePid();
    for (let from = 0; from < CONVERSATIONS * SPANS_OF_EACH; from += SPANS_OF_BODY) {
      const spans = Array.from({ length: SPANS_OF_BODY }, (_, index) => spanAt(from + index));
      const body = { resourceSpans: [{ scopeSpans: [{ spans }] }] };
      await eventually(
        async () => expect((await callApi(project.apiKey, '/v1/traces', { body })).status).toBe(200),
        PATIENCE,
      );
    }
    const assembled = async () => {
      const { body } = await project.call<{ conversations: Conversation[] }>('/conversations?limit=500');
      const whole = body.conversations.filter(({ spanCount }) => spanCount === SPANS_OF_EACH);
      return whole.map(({ id }) => id).sort();
    };
    await eventually(async () => expect(await assembled()).toEqual(names), PATIENCE);
    const [gone, ...left] = names;
    const { body } = await project.call<{ erasureId: string }>(`/conversations/${gone}`, { method: 'DELETE' });
    await eventually(async () => {
      const receipt = (await project.call<Erasure>(`/erasures/${body.erasureId}`)).body;
      expect(receipt).toMatchObject({ status: 'completed', services: { telemetry: { spans: SPANS_OF_EACH } } });
    }, PATIENCE);
    await eventually(async () => expect(await assembled()).toEqual(left), PATIENCE);
    expect(warehousePid()).toBe(pid);
  },
  TIMEOUT_MS,
);
