import { provisionChromium } from '@clew/stack';
import { chromium, type Browser, type BrowserContextOptions } from 'playwright-core';
import { openPerson, signInState, type Account, type Person } from './person.ts';

/** Chromium in which people of one deployment sign in. */
export interface TestBrowser {
  readonly browser: Browser;
  /** Browser window of somebody, signed in: a context, in which any number of pages can be opened. */
  open(account: Account, options?: BrowserContextOptions): Promise<Person>;
  /** Browser window of somebody who is not signed in. */
  openSignedOut(): Promise<Person>;
  close(): Promise<void>;
}

const ARGUMENTS = ['--no-sandbox', '--disable-dev-shm-usage'];

/** Starts Chromium without a window. Everybody signs in once by the API, however many windows they open. */
export async function openBrowser(gatewayUrl: string): Promise<TestBrowser> {
  const { file, env } = await provisionChromium({ log: (line) => process.stderr.write(`${line}\n`) });
  const browser = await chromium.launch({
    executablePath: file,
    args: ARGUMENTS,
    env: Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined)) as Record<string, string>,
  });
  const sessions = new Map<string, ReturnType<typeof signInState>>();
  return {
    browser,
    async open(account, options) {
      const state = sessions.get(account.email) ?? signInState(browser, gatewayUrl, account);
      sessions.set(account.email, state);
      return await openPerson(browser, gatewayUrl, { ...options, storageState: await state });
    },
    openSignedOut: () => openPerson(browser, gatewayUrl, {}),
    close: () => browser.close(),
  };
}
