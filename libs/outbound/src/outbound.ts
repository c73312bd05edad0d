import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, fetch, type Dispatcher, type RequestInit, type Response } from 'undici';
import { createAddressPolicy, type AddressPolicy } from './address-policy.ts';

/**
 * Signals that a URL, or an address of its host, may not be called from here. The message is suitable for the caller.
 */
export class OutboundRefusedError extends Error {
  readonly code = 'OUTBOUND_REFUSED';

  constructor(message: string) {
    super(message);
    this.name = 'OutboundRefusedError';
  }
}

export interface OutboundOptions {
  /** Ranges beside the public ones that may be called (`OUTBOUND_ALLOW_CIDRS`). */
  allowCidrs: readonly string[];
  connectTimeoutMs?: number;
  /** Maximum silence before the head of an answer, and within its body. */
  headersTimeoutMs?: number;
  bodyTimeoutMs?: number;
  /** Resolver of names; the system's by default. */
  lookup?: LookupFunction;
}

/** HTTP client for addresses chosen by others. */
export interface Outbound {
  /** Throws OutboundRefusedError for a URL that could never be called; names are resolved at the time of the call. */
  checkUrl(url: string | URL): URL;
  /** Dispatcher whose connections only go to addresses that were checked when they were resolved. */
  readonly dispatcher: Dispatcher;
  /**
   * Follows no redirects, and returns them unchanged: the request, and above all its key, goes only to the given
   * address.
   */
  fetch(url: string | URL, init?: RequestInit): Promise<Response>;
  /** Ends all connections once their requests are over; safe to repeat. */
  close(): Promise<void>;
}

const DEFAULT_CONNECT_TIMEOUT_MS = 10_000;
const DEFAULT_SILENCE_MS = 300_000;
const KEEP_ALIVE_MS = 60_000;

/**
 * Creates the only client for URLs from callers. The address is checked at the moment of the connection, which is made
 * to exactly that address, so a name that resolves differently a moment later gains nothing.
 */
export function createOutbound(options: OutboundOptions): Outbound {
  const policy = createAddressPolicy(options.allowCidrs);
  const dispatcher = new Agent({
    connect: guardedConnector(policy, options),
    headersTimeout: options.headersTimeoutMs ?? DEFAULT_SILENCE_MS,
    bodyTimeout: options.bodyTimeoutMs ?? DEFAULT_SILENCE_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
  });
  const checkUrl = (url: string | URL) => requireCallable(url, policy);
  let closed: Promise<void> | undefined;
  return {
    checkUrl,
    dispatcher,
    async fetch(url, init) {
      return await fetch(checkUrl(url), { ...init, redirect: 'manual', dispatcher }).catch((error: unknown) => {
        throw refusalIn(error) ?? error;
      });
    },
    close: () => (closed ??= dispatcher.close()),
  };
}

/** Finds the refusal that made a call fail, at any depth of causes. */
export function refusalIn(error: unknown): OutboundRefusedError | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof OutboundRefusedError) return cause;
  }
  return undefined;
}

function requireCallable(url: string | URL, policy: AddressPolicy): URL {
  const parsed = typeof url === 'string' ? parseUrl(url) : url;
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') {
    throw new OutboundRefusedError('The URL must begin with http:// or https://');
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw new OutboundRefusedError('The URL must not hold a user name or password');
  }
  const host = parsed.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) requireAllowed(host, policy);
  return parsed;
}

function parseUrl(url: string): URL {
  const parsed = URL.parse(url);
  if (parsed === null) throw new OutboundRefusedError('The URL is not valid');
  return parsed;
}

function requireAllowed(address: string, policy: AddressPolicy): void {
  const refusal = policy.refusalOf(address);
  // The message omits the address: internal name resolution must not leak.
  if (refusal !== undefined) throw new OutboundRefusedError('The address of this host may not be called from here');
}

function guardedConnector(policy: AddressPolicy, options: OutboundOptions): buildConnector.connector {
  const connect = buildConnector({
    timeout: options.connectTimeoutMs ?? DEFAULT_CONNECT_TIMEOUT_MS,
    lookup: guardedLookup(policy, options.lookup ?? systemLookup),
    keepAlive: true,
  });
  return (target, callback) => {
    const host = target.hostname.replace(/^\[|\]$/g, '');
    // A literal address is connected to without a look-up.
    if (isIP(host) !== 0) {
      try {
        requireAllowed(host, policy);
      } catch (error) {
        callback(error as Error, null);
        return;
      }
    }
    connect(target, callback);
  };
}

/** Removes the addresses that may not be called; fails if none is left. */
function guardedLookup(policy: AddressPolicy, lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, '', 0);
      const addresses = found as unknown as LookupAddress[];
      const allowed = addresses.filter(({ address }) => policy.refusalOf(address) === undefined);
      const [first] = allowed;
      if (first === undefined) {
        return callback(new OutboundRefusedError('The address of this host may not be called from here'), '', 0);
      }
      if (options.all === true) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
}
