// Usage: node scripted-engine.ts SETTINGS_FILE.
// Serves the HTTP API of an engine, and misbehaves according to its model's name.
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';

interface Settings {
  host: string;
  port: number;
  alias: string;
}

interface Asked {
  model?: string;
  prompt?: string;
  stream?: boolean;
  messages?: unknown;
  response_format?: unknown;
}

const settings = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Settings;
const { alias } = settings;
const key = process.env['ENGINE_API_KEY'];
const STREAMED_WORDS = ['one', 'two', 'three'];
const SLOW_MS = 300;
/** Set to end the work of all requests that asked for it. */
let isEnough = false;

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

/** Answer; JSON if JSON mode is requested. */
function wordsFor({ response_format: format }: Asked): string {
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
  if (request.headers.authorization !== `Bearer ${key ?? ''}`) {
    send(response, 401, { error: { message: 'Invalid API key' } });
    return;
  }
  const text = await bodyOf(request);
  if (request.url === '/v1/audio/transcriptions') {
    send(response, 200, { text: text.match(/name="[^"]+"/g)?.join(' ') ?? '' });
    return;
  }
  const body = JSON.parse(text) as Asked;
  if (body.prompt === 'crash') process.exit(1);
  if (body.prompt === 'slow') await sleep(SLOW_MS);
  if (body.prompt === 'enough') isEnough = true;
  // Uses processor time, in the same way as an engine that answers, and does not only wait.
  if (body.prompt === 'work') while (!isEnough) await setImmediate();
  const status = Number(/^status (\d+)$/.exec(body.prompt ?? '')?.[1]);
  if (body.prompt === 'refuse') send(response, 400, { error: { message: 'too long', type: 'invalid_request_error' } });
  else if (status > 0) response.writeHead(status, { 'content-type': 'text/plain' }).end(`the engine says ${status}`);
  else if (body.stream === true) await stream(response);
  else send(response, 200, { path: request.url, received: body, choices: [{ message: { content: wordsFor(body) } }] });
}

process.stdout.write(`key is ${key ?? ''}\n`);
createServer((request, response) => void answer(request, response)).listen(settings.port, settings.host);
