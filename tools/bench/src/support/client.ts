import { Pool } from 'undici';
import type { ServiceProcess } from './service-process.ts';

const CONNECTIONS = 64;

/** Calls the service over keep-alive connections. */
export interface Client {
  json<Body>(method: 'GET' | 'PATCH' | 'POST', path: string, body?: unknown): Promise<Body>;
  /** Sends a body while it is generated. */
  stream<Body>(path: string, body: AsyncIterable<Buffer>): Promise<Body>;
  /** Reads an answer and discards it; returns its size in bytes. */
  drain(path: string): Promise<number>;
  close(): Promise<void>;
}

/** Client for the paths within the project. */
export function createClient(service: ServiceProcess): Client {
  const pool = new Pool(service.url, { connections: CONNECTIONS, headersTimeout: 0, bodyTimeout: 0 });
  const pathOf = (path: string) => `/v1/projects/${service.projectId}${path}`;

  async function ask<Body>(
    method: 'GET' | 'PATCH' | 'POST',
    path: string,
    contentType?: string,
    body?: string | AsyncIterable<Buffer>,
  ): Promise<Body> {
    const headers = { ...service.headers(), ...(contentType === undefined ? {} : { 'content-type': contentType }) };
    const response = await pool.request({
      method,
      path: pathOf(path),
      headers,
      ...(body === undefined ? {} : { body: body as string }),
    });
    const text = await response.body.text();
    if (response.statusCode >= 300) throw new Error(`${method} ${path} answered ${response.statusCode}: ${text}`);
    return JSON.parse(text) as Body;
  }

  return {
    json: (method, path, body) =>
      body === undefined ? ask(method, path) : ask(method, path, 'application/json', JSON.stringify(body)),
    stream: (path, body) => ask('POST', path, 'application/x-ndjson', body),
    async drain(path) {
      const response = await pool.request({ method: 'GET', path: pathOf(path), headers: service.headers() });
      let bytes = 0;
      for await (const chunk of response.body) bytes += (chunk as Buffer).length;
      if (response.statusCode !== 200) throw new Error(`GET ${path} answered ${response.statusCode}`);
      return bytes;
    },
    close: () => pool.close(),
  };
}
