import { runningStack } from './stack.ts';

/** Browser in which the owner of the stack is signed in. */
export interface SignedInBrowser {
  /** Headers of its requests: the cookie, and the origin of the page that makes them. */
  headers: Record<string, string>;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
}

const COOKIE = /^clew_session=[\w-]{43}/;

/** Origin of the pages of the stack. */
export function ownOrigin(): string {
  return new URL(runningStack().gatewayUrl).origin;
}

/** Signs the owner of the stack in, as a page does. */
export async function signInAsOwner(): Promise<SignedInBrowser> {
  const { adminEmail: email, adminPassword: password } = runningStack();
  const response = await fetch(new URL('/v1/auth/sign-in', ownOrigin()), {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: ownOrigin() },
    body: JSON.stringify({ email, password }),
  });
  await response.body?.cancel();
  const cookie = COOKIE.exec(response.headers.get('set-cookie') ?? '')?.[0];
  if (response.status !== 200 || cookie === undefined) throw new Error(`The owner cannot sign in: ${response.status}`);
  const headers = { cookie, origin: ownOrigin() };
  return {
    headers,
    call: (method, path, body, more) =>
      fetch(new URL(path, ownOrigin()), {
        method,
        redirect: 'manual',
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...more },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
  };
}
