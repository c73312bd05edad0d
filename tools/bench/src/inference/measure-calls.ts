import { Pool } from 'undici';

export interface CallTarget {
  /** Base URL of the OpenAI-compatible API; ends with `/v1`. */
  baseUrl: string;
  apiKey: string;
  model: string;
}

export interface CallTimes {
  /** Times from the request to the last byte of the answer. */
  wholeMs: number[];
  /** Times from the request to the first byte of the answer's body. */
  firstByteMs: number[];
}

/** Chat like that of an application: a few hundred bytes of instructions, and a question. */
function bodyOf(model: string, stream: boolean): string {
  const messages = [
    { role: 'system', content: 'You are a helpful assistant of a shop. '.repeat(12) },
    { role: 'user', content: 'Where is my order?' },
  ];
  return JSON.stringify({ model, messages, temperature: 0.2, ...(stream ? { stream } : {}) });
}

/** Makes calls over keep-alive connections, `concurrency` at a time; each starts when an earlier one has ended. */
export async function measureCalls(
  target: CallTarget,
  { calls, concurrency, stream }: { calls: number; concurrency: number; stream: boolean },
): Promise<CallTimes> {
  const { origin, pathname } = new URL(target.baseUrl);
  const pool = new Pool(origin, { connections: concurrency, pipelining: 1 });
  const times: CallTimes = { wholeMs: [], firstByteMs: [] };
  const body = bodyOf(target.model, stream);
  const headers = { authorization: `Bearer ${target.apiKey}`, 'content-type': 'application/json' };
  let left = calls;
  const caller = async () => {
    while (left > 0) {
      left -= 1;
      const startedMs = performance.now();
      let firstMs: number | undefined;
      const answer = await pool.request({ method: 'POST', path: `${pathname}/chat/completions`, headers, body });
      for await (const _chunk of answer.body) firstMs ??= performance.now();
      const endedMs = performance.now();
      if (answer.statusCode !== 200) throw new Error(`A call was answered ${answer.statusCode}`);
      times.wholeMs.push(endedMs - startedMs);
      times.firstByteMs.push((firstMs ?? endedMs) - startedMs);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, caller));
  await pool.close();
  return times;
}
