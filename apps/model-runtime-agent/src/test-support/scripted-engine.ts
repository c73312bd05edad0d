// Usage: node scripted-engine.ts SETTINGS_FILE.
// Serves the HTTP API of an engine without a model. The alias of the model can make it misbehave (`exits-at-once`,
// `ignores-term`), and so can a prompt: `crash`, `slow`, `refuse`, `status <number>`, or `work`, which lasts until
// another request says `enough`.
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';

interface Settings {
  host: string;
  port: number;
  alias: string;
}

interface CompletionRequest {
  model?: string;
  prompt?: string;
  stream?: boolean;
  messages?: unknown;
  response_format?: unknown;
}

const settings = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Settings;
const { alias } = settings;
const apiKey = process.env['ENGINE_API_KEY'] ?? '';
const STREAMED_WORDS = ['one', 'two', 'three'];
const SLOW_MS = 300;
/** Ends all requests with the prompt `work`. */
let isWorkEnded = false;

if (alias.includes('exits-at-once')) {
  process.stderr.write('unknown model architecture\n');
  process.exit(1);
}
if (alias.includes('ignores-term')) process.on('SIGTERM', () => undefined);

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('latin1');
}

/** Content of the answer; JSON if JSON mode is requested. */
function contentFor({ response_format: format }: CompletionRequest): string {
  return format === undefined ? 'hello' : '{"ready":true}';
}

async function stream(response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const content of STREAMED_WORDS) {
    response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`);
    await sleep(20);
  }
  response.end('data: [DONE]\n\n');
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.url === '/health') {
    send(response, 200, {});
    return;
  }
  if (request.headers.authorization !== `Bearer ${apiKey}`) {
    send(response, 401, { error: { message: 'Invalid API key' } });
    return;
  }
  const text = await bodyOf(request);
  if (request.url === '/v1/audio/transcriptions') {
    // Answers with the names of the form's fields.
    send(response, 200, { text: text.match(/name="[^"]+"/g)?.join(' ') ?? '' });
    return;
  }
  const body = JSON.parse(text) as CompletionRequest;
  if (body.prompt === 'crash') process.exit(1);
  if (body.prompt === 'slow') await sleep(SLOW_MS);
  if (body.prompt === 'enough') isWorkEnded = true;
  // Keeps the processor busy, because an engine that only waits counts as idle.
  if (body.prompt === 'work') while (!isWorkEnded) await setImmediate();
  const status = Number(/^status (\d+)$/.exec(body.prompt ?? '')?.[1]);
  if (body.prompt === 'refuse') send(response, 400, { error: { message: 'too long', type: 'invalid_request_error' } });
  else if (status > 0) response.writeHead(status, { 'content-type': 'text/plain' }).end(`the engine says ${status}`);
  else if (body.stream === true) await stream(response);
  else
    send(response, 200, { path: request.url, received: body, choices: [{ message: { content: contentFor(body) } }] });
}

// A test checks that the key is masked in the log.
process.stdout.write(`key is ${apiKey}\n`);
createServer((request, response) => void answer(request, response)).listen(settings.port, settings.host);
