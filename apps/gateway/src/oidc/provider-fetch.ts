import type { CustomFetch } from 'openid-client';
import type { Outbound } from '@clew/outbound';

/** Largest answer of a provider: sets of keys and claims are a few kilobytes. */
const MAX_BYTES = 1024 * 1024;
/** Headers that the client reads. */
const KEPT_HEADERS = ['content-type', 'www-authenticate', 'dpop-nonce'];

/** Calls providers through the guard of outbound calls, and reads no more of an answer than is sensible. */
export function createProviderFetch(outbound: Pick<Outbound, 'fetch'>): CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    const response = await outbound.fetch(url, {
      ...{ method, headers, body: body as string | URLSearchParams | null },
      ...(signal === undefined ? {} : { signal }),
    });
    const parts: Uint8Array[] = [];
    let bytes = 0;
    for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      bytes += part.byteLength;
      if (bytes > MAX_BYTES) throw new Error(`The answer has more than ${MAX_BYTES} bytes`);
      parts.push(part);
    }
    const kept = KEPT_HEADERS.flatMap((name): [string, string][] => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value]];
    });
    // Statuses without a body, such as 204, take none.
    return new Response(bytes === 0 ? null : Buffer.concat(parts), { status: response.status, headers: kept });
  };
}
