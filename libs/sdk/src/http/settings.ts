import { ClewError } from '../errors.ts';
import { fromEnvironment, type ClewOptions, type Logger } from '../options.ts';
import { VERSION } from '../version.ts';

const MAX_RETRIES = 2;
const MAX_RESPONSE_BYTES = 64 * 1_048_576;
const SILENT: Logger = { debug: () => undefined, warn: () => undefined };

/** Options of a client, with everything that was left to defaults and the environment. */
export interface Settings {
  baseUrl: string;
  project: string | undefined;
  apiKey: ClewOptions['apiKey'];
  credentials: 'same-origin' | 'omit';
  maxRetries: number;
  attemptTimeoutMs: number | undefined;
  timeoutMs: number | undefined;
  maxResponseBytes: number;
  logger: Logger;
  fetch: typeof fetch;
  headers: Readonly<Record<string, string>>;
}

export function settingsOf(options: ClewOptions): Settings {
  const { credentials = 'omit', apiKey } = options;
  return {
    baseUrl: baseUrlOf(options.baseUrl ?? fromEnvironment('CLEW_URL')),
    project: options.project ?? fromEnvironment('CLEW_PROJECT'),
    apiKey: apiKey ?? ownKey(credentials),
    credentials,
    maxRetries: options.maxRetries ?? MAX_RETRIES,
    attemptTimeoutMs: options.attemptTimeoutMs,
    timeoutMs: options.timeoutMs,
    maxResponseBytes: options.maxResponseBytes ?? MAX_RESPONSE_BYTES,
    logger: options.logger ?? SILENT,
    // A bound function: browsers refuse a fetch that is called on another object.
    fetch: options.fetch ?? globalThis.fetch.bind(globalThis),
    headers: { ...agentHeader(), ...options.headers },
  };
}

function baseUrlOf(given: string | undefined): string {
  if (given === undefined) throw new ClewError('Give a baseUrl, or set CLEW_URL');
  const url = URL.parse(given);
  if (url === null || !/^https?:$/.test(url.protocol)) throw new ClewError('baseUrl must be an http or https address');
  if (url.username !== '' || url.password !== '') throw new ClewError('baseUrl must not hold a name or password');
  return `${url.origin}${url.pathname}`.replace(/\/$/, '');
}

/** Returns the key of the environment, unless the caller is a signed-in person. */
function ownKey(credentials: Settings['credentials']): string | undefined {
  return credentials === 'same-origin' ? undefined : fromEnvironment('CLEW_API_KEY');
}

/** Names the SDK, outside of browsers, which name themselves. */
function agentHeader(): Record<string, string> {
  return 'document' in globalThis ? {} : { 'user-agent': `clew-sdk-js/${VERSION}` };
}
