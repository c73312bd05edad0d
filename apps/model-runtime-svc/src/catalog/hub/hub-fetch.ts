import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs, retryAfterMs, type BackOff } from '@clew/kernel';
import { type HttpClient, hubAway, hubRefusal } from '@clew/model-runtime';

export interface HubFetchOptions {
  http: HttpClient;
  endpoint: URL;
  /** Token in any form that the hub uses; the libraries accept only the form of one hub. */
  token: string | undefined;
  signal: AbortSignal;
}

const MAX_ATTEMPTS = 3;
const BACK_OFF: BackOff = { firstMs: 300, maxMs: 5_000 };
const PASSING = new Set([408, 429, 500, 502, 503, 504]);

/**
 * Creates the `fetch` function for the hub's own libraries. It ends with the caller, retries while the hub is busy,
 * sends the token only to the hub's origin, and throws AppErrors that a project may see.
 */
export function createHubFetch({ http, endpoint, token, signal }: HubFetchOptions): typeof fetch {
  async function once(input: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    const isOfHub = new URL(input).origin === endpoint.origin;
    if (isOfHub && token !== undefined) headers.set('authorization', `Bearer ${token}`);
    try {
      return await http.fetch(input, { ...init, headers: Object.fromEntries(headers), signal });
    } catch (error) {
      throw hubAway('The model hub cannot be reached', error);
    }
  }

  const hubFetch = async (input: string, init: RequestInit = {}): Promise<Response> => {
    for (let attempt = 1; ; attempt += 1) {
      const response = await once(input, init);
      if (response.ok) return response;
      await response.body?.cancel();
      if (!PASSING.has(response.status)) throw hubRefusal(response.status, response.headers.get('x-error-code'));
      if (attempt === MAX_ATTEMPTS) throw hubAway(`The model hub answered ${response.status}`);
      const askedMs = retryAfterMs(response.headers.get('retry-after'), Date.now()) ?? 0;
      const delayMs = Math.min(Math.max(askedMs, backoffMs(attempt, BACK_OFF)), BACK_OFF.maxMs);
      await sleep(delayMs, undefined, { signal }).catch((error: unknown) => {
        throw hubAway(`The model hub answered ${response.status}`, error);
      });
    }
  };
  return hubFetch as typeof fetch;
}
