import type { IncomingMessage } from 'node:http';

/** Slot for one value on each request. */
export interface RequestSlot<Value> {
  get(request: IncomingMessage): Value | undefined;
  set(request: IncomingMessage, value: Value): void;
}

/**
 * Keeps a value on the request itself. In a WeakMap, requests would outlive minor garbage collections, and the major
 * ones that free them stop the process for tens of milliseconds.
 */
export function createRequestSlot<Value>(name: string): RequestSlot<Value> {
  const slot = Symbol(name);
  type Carrier = IncomingMessage & { [slot]?: Value };
  return {
    get: (request: Carrier) => request[slot],
    set(request: Carrier, value) {
      request[slot] = value;
    },
  };
}
