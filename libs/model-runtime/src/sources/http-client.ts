import { EnvHttpProxyAgent, fetch as undiciFetch, request, type Dispatcher } from 'undici';
import { AppError, retryAfterMs } from '@clew/kernel';
import { SourceError } from './byte-source.ts';

export interface HttpReply {
  status: number;
  headers: Readonly<Record<string, string | undefined>>;
  body: Dispatcher.ResponseData['body'];
  /** URL of the answer, after redirects. */
  url: URL;
}

export interface HttpCall {
  method?: 'GET' | 'HEAD';
  headers?: Readonly<Record<string, string>>;
  /** Value of the authorization header, which is sent only to the origin of the first URL. */
  authorization?: string | undefined;
  /** Decides which redirects are followed; by default all. */
  follow?: (target: URL, from: URL) => boolean;
  signal: AbortSignal;
}

/** Reads from hubs and package registries, through the proxies that the environment names. */
export interface HttpClient {
  /**
   * Resolves with an answer of any status except a followed redirect. Throws SourceError if nothing can be read at
   * present.
   */
  call(url: URL, call: HttpCall): Promise<HttpReply>;
  /** `fetch` for libraries that make their own requests, with the same connections and proxies. */
  readonly fetch: typeof fetch;
  close(): Promise<void>;
}

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const PASSING = new Set([408, 425, 429, 500, 502, 503, 504]);

export interface HttpClientOptions {
  headersTimeoutMs?: number;
  /** Time limit for a pause within a body. */
  bodyTimeoutMs?: number;
}

export function createHttpClient({
  headersTimeoutMs = 20_000,
  bodyTimeoutMs = 20_000,
}: HttpClientOptions = {}): HttpClient {
  const dispatcher = new EnvHttpProxyAgent({
    headersTimeout: headersTimeoutMs,
    bodyTimeout: bodyTimeoutMs,
    connect: { timeout: 10_000 },
  });

  async function send(
    url: URL,
    { method = 'GET', headers, authorization, signal }: HttpCall,
    first: URL,
  ): Promise<HttpReply> {
    const reply = await request(url, {
      dispatcher,
      method,
      signal,
      headers: {
        // A compressed answer would have other lengths and ranges.
        'accept-encoding': 'identity',
        'user-agent': 'clew-model-runtime',
        ...headers,
        ...(authorization !== undefined && url.origin === first.origin ? { authorization } : {}),
      },
    });
    return { status: reply.statusCode, headers: plain(reply.headers), body: reply.body, url };
  }

  return {
    async call(first, call) {
      let url = first;
      for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
        const reply = await send(url, call, first);
        const target = REDIRECTS.has(reply.status) ? redirectTarget(reply) : undefined;
        if (target === undefined || call.follow?.(target, url) === false) return settled(reply);
        await reply.body.dump();
        url = target;
      }
      throw new AppError('UPSTREAM_UNAVAILABLE', `The source redirects more than ${MAX_REDIRECTS} times`);
    },
    fetch: ((input: string, init: object) => undiciFetch(input, { ...init, dispatcher })) as unknown as typeof fetch,
    close: () => dispatcher.close(),
  };
}

/** Target of a redirect. A request made over TLS is not redirected to an address without it. */
export function redirectTarget({ headers, url }: HttpReply): URL | undefined {
  const { location } = headers;
  const target = location === undefined ? null : URL.parse(location, url.href);
  if (target === null) return undefined;
  if (target.protocol !== 'https:' && !(target.protocol === 'http:' && url.protocol === 'http:')) {
    throw new AppError('UPSTREAM_UNAVAILABLE', 'The source redirects from HTTPS to something else');
  }
  return target;
}

async function settled(reply: HttpReply): Promise<HttpReply> {
  if (!PASSING.has(reply.status)) return reply;
  await reply.body.dump();
  const askedMs = retryAfterMs(reply.headers['retry-after'], Date.now());
  throw new SourceError(`${reply.url.host} answered ${reply.status}`, { retryAfterMs: askedMs });
}

function plain(headers: Dispatcher.ResponseData['headers']): HttpReply['headers'] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
}
