import { parentPort, workerData } from 'node:worker_threads';

/** Requests that are made over and over. */
export interface Repeated {
  url: string;
  method: 'GET' | 'POST';
  /** One of them each, in turn. */
  headers: readonly Record<string, string>[];
  body?: string;
  atATime: number;
}

/** That one is refused, or fails, does not end it. */
async function repeat({ url, method, headers, body, atATime }: Repeated, isOver: () => boolean): Promise<void> {
  const running = Array.from({ length: atATime }, async (_, index) => {
    const init = { method, headers: headers[index % headers.length] ?? {}, ...(body === undefined ? {} : { body }) };
    while (!isOver()) {
      await fetch(url, init)
        .then((answer) => answer.text())
        .catch(() => undefined);
    }
  });
  await Promise.all(running);
}

let isOver = false;
parentPort?.once('message', () => {
  isOver = true;
});
await repeat(workerData as Repeated, () => isOver);
