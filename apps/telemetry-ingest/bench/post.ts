import { once } from 'node:events';
import type { Agent } from 'node:http';
import { request, type IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { IngestProcess } from './ingest-process.ts';

export interface Answer {
  status: number;
  retryAfter: string | undefined;
  text: string;
}

/** One request over a connection that is kept; `0` is the status of one that was cut off. */
export async function post(
  ingest: IngestProcess,
  agent: Agent,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: Buffer | Readable,
): Promise<Answer> {
  const sent = request(`${ingest.url}${path}`, { method: 'POST', agent, headers: { ...ingest.headers, ...headers } });
  if (Buffer.isBuffer(body)) sent.setHeader('content-length', body.length).end(body);
  else body.pipe(sent);
  try {
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    const retryAfter = response.headers['retry-after'];
    return { status: response.statusCode ?? 0, retryAfter, text: Buffer.concat(chunks).toString() };
  } catch (error) {
    return { status: 0, retryAfter: undefined, text: String(error) };
  }
}
