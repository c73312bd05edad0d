import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from '@jest/globals';
import { OtlpReceiver, type ReceivedSpan } from './test-support/otlp-receiver.ts';
import { readSamples } from './read-samples.ts';
import { seed } from './seed.ts';

const samples = readSamples();
const nowMs = Date.parse('2026-11-21T12:00:00Z');
const apiKey = 'clew_test';
let receiver: OtlpReceiver | undefined;

afterEach(async () => {
  await receiver?.stop();
  receiver = undefined;
});

async function received(atMs = nowMs): Promise<ReceivedSpan[]> {
  const server = await OtlpReceiver.start();
  try {
    await seed({ gatewayUrl: server.url, apiKey, samples, nowMs: atMs });
    return server.spans;
  } finally {
    await server.stop();
  }
}

const idsOf = (spans: readonly ReceivedSpan[]): string[] => spans.map((span) => `${span.traceId}/${span.spanId}`);

describe('seed', () => {
  it('sends every sample to /v1/traces with the key as bearer, and counts what it sent', async () => {
    receiver = await OtlpReceiver.start();
    const counts = await seed({ gatewayUrl: receiver.url, apiKey, samples, nowMs });
    expect(counts).toEqual({ conversations: samples.length, spans: receiver.spans.length });
    expect(new Set(receiver.requests.map((request) => request.path))).toEqual(new Set(['/v1/traces']));
    for (const { headers } of receiver.requests) {
      expect(headers.authorization).toBe('Bearer clew_test');
      expect(headers['content-type']).toBe('application/x-protobuf');
    }
  });

  it('spans have ids of their own, times in the last hours, and parents in their trace', async () => {
    const spans = await received();
    const ids = new Set(idsOf(spans));
    expect(ids.size).toBe(spans.length);
    for (const span of spans) {
      if (span.parentSpanId !== undefined) expect(ids).toContain(`${span.traceId}/${span.parentSpanId}`);
      const [startMs, endMs] = [span.startTimeUnixNano, span.endTimeUnixNano].map((nanos) =>
        Number(BigInt(nanos) / 1_000_000n),
      );
      expect(startMs).toBeGreaterThan(nowMs - 6 * 3_600_000);
      expect(endMs).toBeLessThan(nowMs);
      expect(startMs).toBeLessThanOrEqual(endMs ?? 0);
    }
  });

  it('a sample arrives with its conversation, agent, model, messages, finish reason and failed tool', async () => {
    const spans = (await received()).filter(
      (span) => span.attributes['gen_ai.conversation.id'] === 'sample-retail-address-timeout-1-2026-11-21',
    );
    const chats = spans.filter((span) => span.attributes['gen_ai.operation.name'] === 'chat');
    const failedTool = spans.find((span) => span.name === 'execute_tool update_shipping_address');
    expect(chats[0]?.attributes).toMatchObject({
      'gen_ai.agent.name': 'juniper-shop',
      'gen_ai.request.model': 'gpt-4.1-mini',
      'user.id': 'cust-48121',
      'gen_ai.input.messages': expect.stringContaining('W-104233'),
      'gen_ai.output.messages': expect.stringContaining('get_order'),
      'gen_ai.system_instructions': expect.stringContaining('Juniper'),
    });
    expect(chats.at(-1)?.attributes['gen_ai.input.messages']).toContain("I've just moved");
    expect(failedTool).toMatchObject({
      kind: 1,
      status: { code: 2 },
      attributes: { 'error.type': expect.any(String) },
    });
  });

  it('sending again later on the same day sends the same spans, on another day others', async () => {
    const first = idsOf(await received());
    expect(idsOf(await received(nowMs + 3_600_000))).toEqual(first);
    const other = new Set(idsOf(await received(nowMs + 86_400_000)));
    expect(first.some((id) => other.has(id))).toBe(false);
  });

  it('waits and sends again when the gateway is busy', async () => {
    receiver = await OtlpReceiver.start([503]);
    const counts = await seed({ gatewayUrl: receiver.url, apiKey, samples, nowMs });
    expect(receiver.spans).toHaveLength(counts.spans);
  });

  it('rejects when the gateway refuses the key', async () => {
    receiver = await OtlpReceiver.start([401]);
    await expect(seed({ gatewayUrl: receiver.url, apiKey, samples, nowMs })).rejects.toThrow(/Unauthorized|401/);
  });
});

describe('the command', () => {
  const run = (env: Record<string, string>): Promise<{ stdout: string }> => {
    const main = path.join(import.meta.dirname, 'main.ts');
    return promisify(execFile)(process.execPath, ['--conditions=clew-source', main], { env });
  };

  it('prints how many conversations and spans it sent', async () => {
    receiver = await OtlpReceiver.start();
    const { stdout } = await run({ CLEW_GATEWAY_URL: receiver.url, CLEW_API_KEY: apiKey });
    expect(stdout).toBe(`${samples.length} conversations, ${receiver.spans.length} spans sent\n`);
  });

  it('names what is missing in its configuration, and fails', async () => {
    await expect(run({ CLEW_GATEWAY_URL: 'nowhere' })).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/CLEW_GATEWAY_URL[^]*CLEW_API_KEY/),
    });
  });
});
