// Thread that loads files as the product does, and tells how they call the RegExp constructor meanwhile.
import { parentPort, workerData } from 'node:worker_threads';

export interface ConstructorCall {
  source: string;
  flags: string;
  stack: string;
}

const calls: ConstructorCall[] = [];
globalThis.RegExp = new Proxy(globalThis.RegExp, {
  construct(target, given: [string | RegExp, string?]) {
    const pattern = Reflect.construct(target, given) as RegExp;
    calls.push({ source: pattern.source, flags: pattern.flags, stack: new Error().stack ?? '' });
    return pattern;
  },
});
for (const path of workerData as string[]) await import(path);
parentPort?.postMessage(calls);
