import type { ServerResponse } from 'node:http';
import { Router, type Request, type Response } from 'express';
import { AppError, methodNotAllowed, toAppError } from '@clew/kernel';
import type { Logger } from '@clew/runtime';
import { markup, type Html } from './html.ts';
import { layout, PAGE_HEADERS } from './layout.ts';

/** Answer of a page: a page to show, or another address to go to. */
export type PageAnswer =
  { title: string; content: Html; status?: number; headers?: PageHeaders } | { goTo: string; headers?: PageHeaders };

type PageHeaders = Readonly<Record<string, string | string[]>>;

export interface Page {
  path: string;
  /** Shows the page. */
  get(request: Request): Promise<PageAnswer> | PageAnswer;
  /** Takes its form; the server has checked that it comes from a page of this deployment. */
  post?(request: Request): Promise<PageAnswer>;
}

/** Serves pages without script. What goes wrong is a page, too. */
export function pageRouter(
  pages: readonly Page[],
  logger: Logger,
  outageError: ((thrown: unknown) => AppError | undefined) | undefined,
): Router {
  const router = Router();
  const answering =
    (handle: (request: Request) => Promise<PageAnswer> | PageAnswer) =>
    async (request: Request, response: Response) => {
      try {
        send(response, await handle(request));
      } catch (thrown) {
        const error = outageError?.(thrown) ?? toAppError(thrown);
        if (error.status >= 500)
          logger.error({ err: error.cause ?? error, requestId: response.locals.requestId as string }, 'a page failed');
        send(response, problemPage(error));
      }
    };
  for (const page of pages) {
    router.get(
      page.path,
      answering((request) => page.get(request)),
    );
    const { post } = page;
    if (post !== undefined)
      router.post(
        page.path,
        answering((request) => post(request)),
      );
    const methods = post === undefined ? ['GET'] : ['GET', 'POST'];
    router.all(
      page.path,
      answering(() => Promise.reject(methodNotAllowed(methods))),
    );
  }
  return router;
}

/**
 * Answers a refusal with the page again, its form filled in and the problem named; anything that the person at the
 * browser cannot mend goes on.
 */
export function formAgain(error: unknown, page: (problem: string) => { title: string; content: Html }): PageAnswer {
  if (!(error instanceof AppError) || error.status >= 500) throw error;
  return { ...page(error.details?.[0]?.message ?? error.message), status: error.status, headers: error.headers ?? {} };
}

function problemPage(error: AppError): PageAnswer {
  const message = error.code === 'INTERNAL_ERROR' ? 'Something went wrong. Try again in a moment.' : error.message;
  const content = markup`<p>${message}</p>
    <p class="hint">${error.code}</p>
    <p><a href="/sign-in">Sign in</a></p>`;
  return { title: 'Not possible', content, status: error.status, headers: error.headers ?? {} };
}

function send(response: Response, answer: PageAnswer): void {
  const headers = { ...PAGE_HEADERS, ...answer.headers };
  if ('goTo' in answer) {
    response.writeHead(303, { ...headers, location: answer.goTo }).end();
    return;
  }
  response.writeHead(answer.status ?? 200, headers).end(layout(answer.title, answer.content).toString());
}

/** Answers with an error as a page, on the plain server. */
export function sendPageError(response: ServerResponse, error: AppError): void {
  const page = problemPage(error);
  if ('goTo' in page) return;
  response.writeHead(error.status, { ...PAGE_HEADERS, ...page.headers });
  response.end(layout(page.title, page.content).toString());
}
