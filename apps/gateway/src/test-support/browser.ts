import type { TestGateway } from './gateway.ts';

export interface BrowserAnswer<Body> {
  status: number;
  headers: Headers;
  text: string;
  /** JSON of the answer, if it is any. */
  body: Body;
}

export interface BrowserRequest {
  body?: unknown;
  /** Fields of a form, instead of a body. */
  form?: Record<string, string>;
  headers?: Record<string, string>;
  /** Gateway that answers, if not the browser's usual one. */
  at?: Pick<TestGateway, 'url'>;
}

/** Browser with one cookie, on a page of the deployment. Each has an address of its own, as behind a proxy. */
export interface TestBrowser {
  readonly address: string;
  /** Value of the session's cookie. */
  cookie: string | undefined;
  send<Body = Record<string, never>>(
    method: string,
    path: string,
    request?: BrowserRequest,
  ): Promise<BrowserAnswer<Body>>;
}

const SET_COOKIE = /^clew_session=(?<value>[^;]*);/;
let browsers = 0;

export function openBrowser(gateway: TestGateway): TestBrowser {
  browsers += 1;
  const browser: TestBrowser = {
    address: `198.51.${Math.floor(browsers / 250)}.${(browsers % 250) + 1}`,
    cookie: undefined,
    async send(method, path, { body, form, headers = {}, at = gateway } = {}) {
      const content = form === undefined ? body : undefined;
      const response = await fetch(`${at.url}${path}`, {
        method,
        redirect: 'manual',
        headers: {
          origin: gateway.config.PUBLIC_URL,
          'x-forwarded-for': browser.address,
          ...(browser.cookie === undefined ? {} : { cookie: `clew_session=${browser.cookie}` }),
          ...(content === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(content === undefined ? {} : { body: JSON.stringify(content) }),
        ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
      });
      const given = SET_COOKIE.exec(response.headers.get('set-cookie') ?? '')?.groups?.['value'];
      if (given !== undefined) browser.cookie = given === '' ? undefined : given;
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
      return {
        status: response.status,
        headers: response.headers,
        text,
        body: (isJson ? JSON.parse(text) : {}) as never,
      };
    },
  };
  return browser;
}
