import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export interface RawConnection {
  socket: Socket;
  send(bytes: string | Uint8Array): void;
  /** Text that has been received and not yet taken. */
  received(): string;
  /** Next whole answer; rejects if the connection ends first, or if nothing more arrives. */
  answer(timeoutMs?: number): Promise<RawAnswer>;
  /** Resolves when the received text matches, or when the other end has closed the connection. */
  receivedOrClosed(pattern: RegExp, timeoutMs?: number): Promise<void>;
  /** Resolves when the other end has closed the connection. */
  closed(timeoutMs?: number): Promise<void>;
  destroy(): void;
}

const DEFAULT_TIMEOUT_MS = 10_000;

/** Connection that sends bytes exactly as given. */
export async function openRaw(port: number): Promise<RawConnection> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: false });
  let text = '';
  let ended = false;
  let wake = () => undefined as void;
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    text += chunk;
    wake();
  });
  for (const event of ['end', 'close', 'error']) {
    socket.on(event, () => {
      ended = true;
      wake();
    });
  }
  await new Promise((resolve, reject) => socket.once('connect', () => resolve(undefined)).once('error', reject));

  /** Waits for more bytes, or for the end. */
  async function until<T>(probe: () => T | undefined, timeoutMs: number): Promise<T> {
    const deadlineMs = Date.now() + timeoutMs;
    for (;;) {
      const found = probe();
      if (found !== undefined) return found;
      const leftMs = deadlineMs - Date.now();
      if (leftMs <= 0)
        throw new Error(`Nothing more came within ${timeoutMs} ms after: ${JSON.stringify(text.slice(0, 500))}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, leftMs);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  return {
    socket,
    send: (bytes) => void socket.write(bytes, 'latin1' as BufferEncoding),
    received: () => text,
    answer: (timeoutMs = DEFAULT_TIMEOUT_MS) =>
      until(() => {
        const parsed = parseAnswer(text, ended);
        if (parsed !== undefined) text = text.slice(parsed.length);
        else if (ended) throw new Error(`The connection ended after: ${JSON.stringify(text.slice(0, 500))}`);
        return parsed?.answer;
      }, timeoutMs),
    receivedOrClosed: (pattern, timeoutMs = DEFAULT_TIMEOUT_MS) =>
      until(() => (ended || pattern.test(text) ? true : undefined), timeoutMs).then(() => undefined),
    closed: (timeoutMs = DEFAULT_TIMEOUT_MS) =>
      until(() => (ended ? true : undefined), timeoutMs).then(() => undefined),
    destroy: () => socket.destroy(),
  };
}

/** Sends bytes over a new connection and returns the first final answer. */
export async function sendRaw(port: number, bytes: string | Uint8Array, timeoutMs?: number): Promise<RawAnswer> {
  const connection = await openRaw(port);
  try {
    connection.send(bytes);
    return await connection.answer(timeoutMs);
  } finally {
    connection.destroy();
  }
}

function parseAnswer(text: string, ended: boolean): { answer: RawAnswer; length: number } | undefined {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd === -1) return undefined;
  const [statusLine = '', ...lines] = text.slice(0, headEnd).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const status = Number(statusLine.split(' ')[1]);
  const length = bodyEnd(text, headEnd + 4, status, headers, ended);
  if (length === undefined) return undefined;
  return { answer: { status, headers, body: text.slice(headEnd + 4, length) }, length };
}

function bodyEnd(
  text: string,
  start: number,
  status: number,
  headers: Record<string, string>,
  ended: boolean,
): number | undefined {
  if (status < 200 || status === 204 || status === 304) return start;
  const declared = headers['content-length'];
  if (declared !== undefined) return text.length >= start + Number(declared) ? start + Number(declared) : undefined;
  if (headers['transfer-encoding'] === 'chunked') {
    const end = text.indexOf('0\r\n\r\n', start);
    return end === -1 ? undefined : end + 5;
  }
  return ended ? text.length : undefined;
}
