import { parentPort, workerData } from 'node:worker_threads';

/** Requests to repeat. */
export interface Repeated {
  url: string;
  method: 'GET' | 'POST';
  /** Headers that the loops use in turn, one entry each. */
  headers: readonly Record<string, string>[];
  body?: string;
  atATime: number;
}

/** Repeats the request in `atATime` parallel loops; a refused or failed request does not end its loop. */
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
