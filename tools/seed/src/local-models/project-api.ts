/** Error for an unsuccessful answer; `code` is the error code of the gateway, if it gave one. */
export class RefusedError extends Error {
  readonly status: number;
  readonly code: string | undefined;

  constructor(what: string, status: number, code: string | undefined, message: string) {
    super(`${what}: ${status}${code === undefined ? '' : ` ${code}`}${message === '' ? '' : `, ${message}`}`);
    this.name = 'RefusedError';
    this.status = status;
    this.code = code;
  }
}

export interface ProjectApiOptions {
  readonly gatewayUrl: string;
  readonly apiKey: string;
  readonly projectId: string;
  readonly signal: AbortSignal;
}

interface CallOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH';
  body?: unknown;
  idempotencyKey?: string;
}

/** Calls routes of one project like any caller; throws a RefusedError for an unsuccessful answer. */
export interface ProjectApi {
  call<Body>(path: string, options?: CallOptions): Promise<Body>;
  readonly signal: AbortSignal;
}

const CALL_TIMEOUT_MS = 60_000;

export function createProjectApi({ gatewayUrl, apiKey, projectId, signal }: ProjectApiOptions): ProjectApi {
  return {
    signal,
    async call<Body>(path: string, { method = 'GET', body, idempotencyKey }: CallOptions = {}): Promise<Body> {
      const response = await fetch(new URL(`/v1/projects/${projectId}${path}`, gatewayUrl), {
        method,
        headers: {
          authorization: `Bearer ${apiKey}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(CALL_TIMEOUT_MS)]),
      });
      const answer = (await response.json().catch(() => ({}))) as { code?: string; message?: string };
      if (!response.ok) {
        throw new RefusedError(`${method} ${path}`, response.status, answer.code, answer.message ?? '');
      }
      return answer as Body;
    },
  };
}
