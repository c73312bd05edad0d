// Engine that answers at once or after a thinking time: a chat of a few hundred bytes, or a stream of 20 words. Prints
// its port.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const thinkMs = Number(process.argv[2] ?? 0);
const WORDS = 20;
const head = { id: 'chatcmpl-1', created: 1_700_000_000, model: 'bench' };
const usage = { prompt_tokens: 40, completion_tokens: WORDS, total_tokens: 40 + WORDS };
const message = { role: 'assistant', content: 'word '.repeat(WORDS) };
const whole = JSON.stringify({
  ...{ ...head, object: 'chat.completion', usage },
  choices: [{ index: 0, message, finish_reason: 'stop' }],
});
const event = (delta: object, finishReason: string | null = null) =>
  `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finishReason }] })}\n\n`;

const server = createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { stream } = JSON.parse(Buffer.concat(chunks).toString() || '{}') as { stream?: boolean };
    void (thinkMs > 0 ? sleep(thinkMs) : Promise.resolve()).then(() => {
      if (stream !== true) {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(whole) });
        response.end(whole);
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (let word = 0; word < WORDS; word += 1) response.write(event({ content: 'word ' }));
      response.end(`${event({}, 'stop')}data: [DONE]\n\n`);
    });
  });
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
