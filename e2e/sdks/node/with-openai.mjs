/** Calls models with the official OpenAI client. The command line names the instrumentation package. */
import { inOneTrace, require, startExporting } from './exporting.mjs';

const [, , name] = process.argv;
const { OpenAIInstrumentation } = require(name);
const sdk = startExporting([new OpenAIInstrumentation({ captureMessageContent: true })]);
const { OpenAI } = require('openai');

const { CLEW_URL, CLEW_API_KEY, CLEW_MODEL: model, CLEW_EMBEDDING_MODEL } = process.env;
const client = new OpenAI({ baseURL: `${CLEW_URL}/v1`, apiKey: CLEW_API_KEY, maxRetries: 0 });
const system = { role: 'system', content: 'Be brief.' };
const parameters = { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'integer' } } };
const tools = [{ type: 'function', function: { name: 'add', description: 'Adds two numbers', parameters } }];

function ask(content, options = {}) {
  return client.chat.completions.create({ model, messages: [system, { role: 'user', content }], ...options });
}

async function useTools() {
  const messages = [{ role: 'user', content: 'Tools: what is one and one?' }];
  const { message } = (await client.chat.completions.create({ model, messages, tools })).choices[0];
  messages.push(message);
  for (const { id } of message.tool_calls) messages.push({ role: 'tool', tool_call_id: id, content: '{"sum":2}' });
  await client.chat.completions.create({ model, messages, tools });
}

async function takeTurns() {
  const messages = [system];
  for (const content of ['Turns: my name is Ada.', 'Turns: what is my name?']) {
    messages.push({ role: 'user', content });
    const { message } = (await client.chat.completions.create({ model, messages })).choices[0];
    messages.push({ role: 'assistant', content: message.content });
  }
}

async function fail() {
  try {
    await ask('Failed: where is my parcel?');
  } catch {
    return;
  }
  throw new Error('The provider was to refuse this call');
}

await ask('Plain: where is my parcel?');
for await (const chunk of await ask('Streamed: where is my parcel?', { stream: true })) void chunk;
await inOneTrace('tools', useTools);
await inOneTrace('turns', takeTurns);
await fail();
await client.models.list();
await client.embeddings.create({ model: CLEW_EMBEDDING_MODEL, input: ['a text'] });
await sdk.shutdown();
