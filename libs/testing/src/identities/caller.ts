import type { Principal } from '@clew/contracts';
import { IDENTITY_HEADER } from '@clew/http';
import type { ServiceIdentities } from './identities.ts';

/** Request to a service under test, as the gateway would send it. */
export interface Call {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path within the project, beginning with `/`; with `//`, from the root. */
  path: string;
  body?: unknown;
  /** JSON text that does not correspond to any value. */
  rawBody?: string;
  headers?: Record<string, string>;
  /** Caller; by default, a key with all rights that the service requires; null sends no identity. */
  principal?: Principal | null;
  /** Project that the identity gives access to; by default, that of the path. */
  identityProject?: string;
  projectId?: string;
}

export interface Answer<Body> {
  status: number;
  headers: Headers;
  text: string;
  /** Null if the answer is not JSON. */
  body: Body;
}

export type CallService = <Body = Record<string, unknown>>(call: Call) => Promise<Answer<Body>>;

export interface CallerOptions {
  url: string;
  /** Identities of the service. */
  identities: ServiceIdentities;
  projectId: string;
  principal: Principal;
  /** Path between the project and the path of a call. */
  prefix?: string;
}

/** Creates a function that calls a service; each call specifies only its differences. */
export function callerOf({ url, identities, prefix = '', ...usual }: CallerOptions): CallService {
  return async (call) => {
    const { method = 'GET', projectId = usual.projectId, principal = usual.principal } = call;
    const path = call.path.startsWith('//') ? call.path.slice(1) : `/v1/projects/${projectId}${prefix}${call.path}`;
    const body = call.rawBody ?? (call.body === undefined ? undefined : JSON.stringify(call.body));
    const identity = principal && identities.tokenOf(principal, call.identityProject ?? projectId);
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(identity === null ? {} : { [IDENTITY_HEADER]: identity }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...call.headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    const isJson = /^application\/json\b/.test(response.headers.get('content-type') ?? '');
    const parsed = (isJson ? JSON.parse(text) : null) as never;
    return { status: response.status, headers: response.headers, text, body: parsed };
  };
}
