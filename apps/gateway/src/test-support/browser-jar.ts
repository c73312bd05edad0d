import { keepCookie } from '@clew/testing/oidc';
import type { TestGateway } from './gateway.ts';

export interface JarAnswer {
  status: number;
  headers: Headers;
  location: string | null;
  text: string;
}

/** Browser with all of its cookies. Each has an address of its own, as behind a proxy. */
export interface JarBrowser {
  readonly cookies: Map<string, string>;
  /** Follows a link, or sends a form; redirects are answers. */
  go(path: string, form?: Record<string, string>, headers?: Record<string, string>): Promise<JarAnswer>;
}

let jars = 0;

export function openJar({ url, config }: Pick<TestGateway, 'url' | 'config'>): JarBrowser {
  jars += 1;
  const address = `203.0.${Math.floor(jars / 250)}.${(jars % 250) + 1}`;
  const cookies = new Map<string, string>();
  return {
    cookies,
    async go(path, form, headers = {}) {
      const response = await fetch(`${url}${path}`, {
        method: form === undefined ? 'GET' : 'POST',
        redirect: 'manual',
        headers: {
          ...{ origin: config.PUBLIC_URL, 'x-forwarded-for': address, accept: 'text/html' },
          cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          ...headers,
        },
        ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
      });
      for (const line of response.headers.getSetCookie()) keepCookie(cookies, line);
      const location = response.headers.get('location');
      return { status: response.status, headers: response.headers, location, text: await response.text() };
    },
  };
}
