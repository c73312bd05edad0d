import type { BrowserContext, Page, Request } from 'playwright-core';

/** Things that pages did and no page may do, by their kind. */
export interface Incidents {
  readonly consoleErrors: readonly string[];
  readonly foreignRequests: readonly string[];
  readonly dialogs: readonly string[];
  readonly policyReports: readonly string[];
}

export interface Watch {
  /** Incidents so far. */
  incidents(): Incidents;
  /** Incidents in lines; empty if all is well. Failed answers, which tests make, may be left out. */
  told(options?: { withFailedAnswers?: boolean }): string[];
  /** Requests of a page to the API that are not answered yet; streams, which never are, do not count. */
  pending(page: Page): number;
}

/** Words of the browser, not of the page, about an answer that is no success. */
const FAILED_ANSWER = 'Failed to load resource';
/** Schemes of addresses that lead to no server. */
const LOCAL = /^(?:data|blob|about):/;
const REPORT_NAME = 'clewPolicyReport';
const REPORT_SCRIPT = `addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
  window.${REPORT_NAME}(violatedDirective + ' ' + blockedURI + ' ' + sample));`;

/** Watches all pages of a window, from before their first line of script. */
export async function watchContext(context: BrowserContext, origin: string): Promise<Watch> {
  const consoleErrors: string[] = [];
  const foreignRequests: string[] = [];
  const dialogs: string[] = [];
  const policyReports: string[] = [];
  const pending = new Map<Page, Set<Request>>();

  context.on('console', (message) => {
    if (message.type() === 'error') consoleErrors.push(`${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (error) => consoleErrors.push(error.error().message));
  context.on('dialog', (dialog) => {
    dialogs.push(`${dialog.type()}: ${dialog.message()}`);
    void dialog.dismiss();
  });
  context.on('request', (request) => {
    const address = request.url();
    if (!LOCAL.test(address) && new URL(address).origin !== origin) foreignRequests.push(address);
    const page = pageOf(request);
    if (page === undefined || isStream(address)) return;
    pending.set(page, (pending.get(page) ?? new Set()).add(request));
  });
  const onEnd = (request: Request) => {
    for (const requests of pending.values()) requests.delete(request);
  };
  context.on('requestfinished', onEnd).on('requestfailed', onEnd);
  await context.exposeBinding(REPORT_NAME, (_source, report: string) => void policyReports.push(report));
  await context.addInitScript(REPORT_SCRIPT);

  return {
    incidents: () => ({ consoleErrors, foreignRequests, dialogs, policyReports }),
    told: ({ withFailedAnswers = true } = {}) => [
      ...consoleErrors.filter((text) => withFailedAnswers || !text.startsWith(FAILED_ANSWER)),
      ...foreignRequests.map((address) => `request to ${address}`),
      ...dialogs,
      ...policyReports.map((report) => `policy report: ${report}`),
    ],
    pending: (page) => pending.get(page)?.size ?? 0,
  };
}

/** Stream of changes, which stays open. */
function isStream(address: string): boolean {
  return /\/(?:events|activity)(?:\?|$)/.test(address) && !address.includes('/findings/');
}

function pageOf(request: Request): Page | undefined {
  try {
    return request.frame().page();
  } catch {
    return undefined;
  }
}
