import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { watchContext, type Watch } from './watch.ts';

/** Address and password of somebody. */
export interface Account {
  readonly email: string;
  readonly password: string;
}

/** Somebody at the Workbench, signed in. */
export interface Person {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Incidents of their pages. */
  readonly watch: Watch;
  /** Opens an address below the gateway. */
  go(address: string): Promise<void>;
  close(): Promise<void>;
}

type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>;

/** Time that no page takes, however busy the machine is. */
const TIMEOUT_MS = 120_000;
const SIZE = { width: 1440, height: 900 };

/** Signs somebody in by the API, as the sign-in page does; resolves with the cookie. */
export async function signInState(browser: Browser, gatewayUrl: string, account: Account): Promise<StorageState> {
  const context = await browser.newContext();
  try {
    const answer = await context.request.post(new URL('/v1/auth/sign-in', gatewayUrl).href, {
      data: { email: account.email, password: account.password },
      headers: { origin: new URL(gatewayUrl).origin },
    });
    if (answer.status() !== 200) throw new Error(`Nobody was signed in: ${answer.status()} ${await answer.text()}`);
    return await context.storageState();
  } finally {
    await context.close();
  }
}

/** Opens a window of somebody. */
export async function openPerson(
  browser: Browser,
  gatewayUrl: string,
  options: BrowserContextOptions,
): Promise<Person> {
  const context = await browser.newContext({
    ...{ viewport: SIZE, reducedMotion: 'reduce', permissions: ['clipboard-read', 'clipboard-write'] },
    ...options,
  });
  context.setDefaultTimeout(TIMEOUT_MS);
  const watch = await watchContext(context, new URL(gatewayUrl).origin);
  const page = await context.newPage();
  return {
    context,
    page,
    watch,
    async go(address) {
      await page.goto(new URL(address, gatewayUrl).href, { waitUntil: 'domcontentloaded' });
    },
    close: () => context.close(),
  };
}
