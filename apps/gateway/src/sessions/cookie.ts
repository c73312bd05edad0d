import type { IncomingMessage } from 'node:http';

/** Cookie of this deployment: how it is read, given and taken away. */
export interface Cookie {
  readonly name: string;
  /**
   * Reads the value of the cookie; undefined without one, and also with two: another host of the same domain may have
   * planted one of them, and nobody can tell which.
   */
  read(request: Pick<IncomingMessage, 'headers'>): string | undefined;
  /** Header `Set-Cookie` that gives the cookie to the browser until that time. */
  give(value: string, maxAgeMs: number): string;
  /** Header `Set-Cookie` that takes it away. */
  take(): string;
}

/**
 * Cookie for a deployment at that address. Over https its name begins with `__Host-`: browsers accept it only from this
 * very host, with Secure, and for all paths, so that no other host of the domain can plant one. Lax and not Strict, as
 * a link from an issue tracker, and the way back from a sign-in provider, must arrive with it.
 */
export function createCookie(publicUrl: string, { name: bare, value: form }: { name: string; value: RegExp }): Cookie {
  const isSecure = new URL(publicUrl).protocol === 'https:';
  const name = isSecure ? `__Host-${bare}` : bare;
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  return {
    name,
    read({ headers: { cookie } }) {
      if (cookie?.includes(name) !== true) return undefined;
      const values = cookie
        .split(';')
        .map((pair) => pair.trim().split('=', 2))
        .filter(([key]) => key === name)
        .map(([, value]) => value ?? '');
      const [value] = values;
      return values.length === 1 && value !== undefined && form.test(value) ? value : undefined;
    },
    give: (value, maxAgeMs) => `${name}=${value}; Max-Age=${Math.floor(maxAgeMs / 1_000)}; ${attributes}`,
    take: () => `${name}=; Max-Age=0; ${attributes}`,
  };
}
