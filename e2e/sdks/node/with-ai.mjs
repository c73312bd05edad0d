/** Calls models with the Vercel AI SDK. The command line names which of its two telemetry classes is used. */
import { inOneTrace, startExporting } from './exporting.mjs';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import * as telemetry from '@ai-sdk/otel';
import { embed, generateText, isStepCount, registerTelemetry, streamText, tool } from 'ai';
import { z } from 'zod';

const [, , name] = process.argv;
const sdk = startExporting();
registerTelemetry(new telemetry[name]());

const { CLEW_URL, CLEW_API_KEY, CLEW_MODEL, CLEW_EMBEDDING_MODEL } = process.env;
const provider = createOpenAICompatible({ name: 'clew', baseURL: `${CLEW_URL}/v1`, apiKey: CLEW_API_KEY });
const model = provider(CLEW_MODEL);
const system = 'Be brief.';
const add = tool({
  description: 'Adds two numbers',
  inputSchema: z.object({ a: z.number(), b: z.number() }),
  execute: async ({ a, b }) => ({ sum: a + b }),
});

async function takeTurns() {
  const messages = [];
  for (const content of ['Turns: my name is Ada.', 'Turns: what is my name?']) {
    messages.push({ role: 'user', content });
    const { text } = await generateText({ model, system, messages });
    messages.push({ role: 'assistant', content: text });
  }
}

async function fail() {
  try {
    await generateText({ model, system, prompt: 'Failed: where is my parcel?', maxRetries: 0 });
  } catch {
    return;
  }
  throw new Error('The provider was to refuse this call');
}

await generateText({ model, system, prompt: 'Plain: where is my parcel?' });
for await (const piece of streamText({ model, system, prompt: 'Streamed: where is my parcel?' }).textStream) void piece;
await generateText({ model, prompt: 'Tools: what is one and one?', tools: { add }, stopWhen: isStepCount(2) });
await inOneTrace('turns', takeTurns);
await fail();
await embed({ model: provider.embeddingModel(CLEW_EMBEDDING_MODEL), value: 'a text' });
await sdk.shutdown();
