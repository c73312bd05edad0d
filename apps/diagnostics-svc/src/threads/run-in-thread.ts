import { once } from 'node:events';
import { startThread } from './start-thread.ts';

/** A thread takes some hundred milliseconds to start: what is smaller is read sooner where it is. */
export const SMALL_BYTES = 256 * 1024;

/**
 * Has the module that lies beside `parentUrl` say one thing of some JSON, which it is given as `{ json, ...given }`. It
 * ends once it has said it. Rejects where it ends without a word.
 */
export async function runInThread<Result>(
  name: string,
  parentUrl: string,
  json: Uint8Array<ArrayBuffer>,
  given: object,
): Promise<Result> {
  const thread = startThread(name, parentUrl, { workerData: { json, ...given }, transferList: [json.buffer] });
  const exited = once(thread, 'exit').then(() => Promise.reject(new Error('The thread has ended without a word')));
  exited.catch(() => undefined);
  const [result] = (await Promise.race([once(thread, 'message'), exited])) as [Result];
  return result;
}
