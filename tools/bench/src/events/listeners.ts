import { Agent, get, type IncomingMessage } from 'node:http';

/** Listeners to the changes of some projects, all in this process. */
export interface Listeners {
  /** Changes that have arrived, at all listeners together. */
  heard(): number;
  /** Times from a change to its arrival, in milliseconds, of the changes since the last call. */
  takeDelaysMs(): number[];
  stop(): void;
}

export interface ListenersOptions {
  port: number;
  apiKey: string;
  projectIds: readonly string[];
  count: number;
}

const AT = /"at":(\d+)/g;

/** Opens streams one after another, shared out among the projects. */
export async function openListeners({ port, apiKey, projectIds, count }: ListenersOptions): Promise<Listeners> {
  const agent = new Agent({ maxSockets: Infinity });
  let [heard, delaysMs] = [0, [] as number[]];
  const take = (chunk: string) => {
    const nowMs = Date.now();
    for (const [, at] of chunk.matchAll(AT)) {
      heard += 1;
      delaysMs.push(nowMs - Number(at));
    }
  };
  for (let index = 0; index < count; index += 1) {
    const path = `/v1/projects/${projectIds[index % projectIds.length]}/events`;
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { authorization: `Bearer ${apiKey}` };
      get({ host: '127.0.0.1', port, path, headers, agent }, resolve).once('error', reject);
    });
    if (response.statusCode !== 200) throw new Error(`A listener was refused: ${response.statusCode}`);
    response
      .setEncoding('utf8')
      .on('data', take)
      .on('error', () => undefined);
  }
  return {
    heard: () => heard,
    takeDelaysMs() {
      const taken = delaysMs;
      delaysMs = [];
      return taken;
    },
    stop: () => agent.destroy(),
  };
}
