import { request as httpRequest } from 'node:http';
import { createConnection, type Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import type { DatasetImportReport } from '@clew/contracts';
import { IDENTITY_HEADER } from '@clew/http';
import { keyWith, type ServiceIdentities } from '@clew/testing/identities';

export interface Download {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  trailers: Readonly<Record<string, string | undefined>>;
  text: string;
}

/** Streams files to a service and from it. */
export interface Transfers {
  upload(
    path: string,
    file: string | Buffer | AsyncIterable<Buffer>,
    headers?: Record<string, string>,
  ): Promise<{ status: number; headers: Download['headers']; report: DatasetImportReport }>;
  download(path: string): Promise<Download>;
  /** Downloads a file without keeping it, and returns its size. */
  pass(path: string): Promise<number>;
  /** Begins an upload on a raw socket, for behavior that a proper client does not have. */
  beginUpload(path: string, headers?: Record<string, string>): Socket;
}

export function transfersOf(url: string, tokenOf: ServiceIdentities['tokenOf'], projectId: string): Transfers {
  const identity = () => tokenOf(keyWith('workspace:read', 'models:manage'), projectId);
  const call = async (method: string, path: string, body?: Readable, headers: Record<string, string> = {}) => {
    const target = `${url}/v1/projects/${projectId}${path}`;
    const request = httpRequest(target, { method, headers: { ...headers, [IDENTITY_HEADER]: identity() } });
    const { promise, resolve, reject } = Promise.withResolvers<Download>();
    // Kept, since the connection may break off after the answer, while the file is still being sent.
    request.on('error', reject);
    request.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        const { statusCode = 0, headers: answered, trailers } = response;
        resolve({ status: statusCode, headers: answered, trailers, text: Buffer.concat(chunks).toString() });
      });
    });
    if (body === undefined) request.end();
    else pipeline(body, request).catch(reject);
    return promise;
  };
  return {
    async upload(path, file, headers) {
      const body = typeof file === 'string' || Buffer.isBuffer(file) ? [Buffer.from(file)] : file;
      const answer = await call('POST', path, Readable.from(body, { objectMode: false }), headers);
      const { status, headers: answered, text } = answer;
      return { status, headers: answered, report: JSON.parse(text) as DatasetImportReport };
    },
    download: (path) => call('GET', path),
    async pass(path) {
      const response = await fetch(`${url}/v1/projects/${projectId}${path}`, {
        headers: { [IDENTITY_HEADER]: identity() },
      });
      let bytes = 0;
      for await (const chunk of response.body ?? []) bytes += (chunk as Uint8Array).length;
      return bytes;
    },
    beginUpload(path, headers = {}) {
      const { hostname, port } = new URL(url);
      const socket = createConnection(Number(port), hostname).on('error', () => undefined);
      const head = [`POST /v1/projects/${projectId}${path} HTTP/1.1`, 'host: test', 'content-length: 100000000'];
      const given = Object.entries({ ...headers, [IDENTITY_HEADER]: identity() });
      socket.write([...head, ...given.map(([name, value]) => `${name}: ${value}`), '', ''].join('\r\n'));
      return socket;
    },
  };
}
