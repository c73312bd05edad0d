import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RegistryRequest {
  origin: 'index' | 'files';
  path: string;
  authorization: string | undefined;
  range: string | undefined;
}

/** Package registry on this machine: a simple index, and the files on another origin. */
export interface PackageRegistry {
  /** Value for `PIP_INDEX_URL`. */
  readonly indexUrl: string;
  readonly requests: RegistryRequest[];
  /** Contents and behavior of the registry; tests may change it. */
  readonly state: RegistryState;
  /** Number of bytes sent in file bodies. */
  fileBytes(): number;
  stop(): Promise<void>;
}

interface RegistryState {
  /** Wheels by file name. */
  wheels: Map<string, Buffer>;
  form: 'html' | 'json';
  hasRanges: boolean;
  /** Status that the index answers in place of its page. */
  status: number;
  /** Index of a byte in which one bit is flipped, in the next body that contains it. */
  flipAt: number | undefined;
}

export async function startPackageRegistry(wheels: Readonly<Record<string, Buffer>>): Promise<PackageRegistry> {
  const state: RegistryState = {
    wheels: new Map(Object.entries(wheels)),
    ...{ form: 'html', hasRanges: true, status: 200, flipAt: undefined },
  };
  const requests: RegistryRequest[] = [];
  let fileBytes = 0;
  const note = (origin: RegistryRequest['origin'], { url = '', headers }: IncomingMessage) =>
    requests.push({ origin, path: url, authorization: headers.authorization, range: headers.range });
  const files = await serve((request, response) => {
    note('files', request);
    fileBytes += sendFile(state, request, response);
  });
  const filesUrl = `http://localhost:${(files.address() as AddressInfo).port}`;
  const index = await serve((request, response) => {
    note('index', request);
    sendPage(state, filesUrl, request, response);
  });
  return {
    indexUrl: `http://127.0.0.1:${(index.address() as AddressInfo).port}/simple`,
    requests,
    state,
    fileBytes: () => fileBytes,
    async stop() {
      for (const server of [files, index]) {
        server.close();
        server.closeAllConnections();
      }
    },
  };
}

async function serve(handler: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(handler);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function sendPage(state: RegistryState, filesUrl: string, request: IncomingMessage, response: ServerResponse): void {
  const name = request.url?.split('/')[2] ?? '';
  const found = [...state.wheels].filter(([file]) => file.split('-')[0]?.replaceAll('_', '-') === name);
  if (state.status !== 200 || found.length === 0) {
    response.writeHead(state.status === 200 ? 404 : state.status).end();
    return;
  }
  const entries = found.map(([filename, content]) => {
    const sha256 = createHash('sha256').update(content).digest('hex');
    return { filename, url: `${filesUrl}/packages/${filename}`, hashes: { sha256 } };
  });
  if (state.form === 'json') {
    response.setHeader('content-type', 'application/vnd.pypi.simple.v1+json');
    response.end(JSON.stringify({ meta: { 'api-version': '1.0' }, name, files: entries }));
    return;
  }
  const links = entries.map(({ filename, url, hashes }) => {
    return `<a data-requires-python="&gt;=3.9" href="${url}?a=1&amp;b=2#sha256=${hashes.sha256}">${filename}</a><br/>`;
  });
  response.setHeader('content-type', 'text/html');
  response.end(`<!DOCTYPE html><html><body><a href="../">up</a>${links.join('\n')}</body></html>`);
}

function sendFile(state: RegistryState, request: IncomingMessage, response: ServerResponse): number {
  const content = state.wheels.get(new URL(request.url ?? '', 'http://files').pathname.split('/').at(-1) ?? '');
  if (content === undefined) {
    response.writeHead(404).end();
    return 0;
  }
  const range = state.hasRanges ? /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') : null;
  const start = Number(range?.[1] ?? 0);
  const end = range === null ? content.length : Math.min(Number(range[2]) + 1, content.length);
  let bytes = content.subarray(start, end);
  if (state.flipAt !== undefined && state.flipAt >= start && state.flipAt < end) {
    bytes = Buffer.from(bytes);
    bytes.writeUInt8(bytes.readUInt8(state.flipAt - start) ^ 1, state.flipAt - start);
    state.flipAt = undefined;
  }
  const headers = range === null ? {} : { 'content-range': `bytes ${start}-${end - 1}/${content.length}` };
  response.writeHead(range === null ? 200 : 206, { 'content-length': bytes.length, ...headers }).end(bytes);
  return bytes.length;
}
