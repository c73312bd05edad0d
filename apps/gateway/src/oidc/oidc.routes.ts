import { finishOidc, startOidc, STREAMED } from '@clew/contracts';
import { answer, route, type Route } from '@clew/http';
import { toAppError, type AppError } from '@clew/kernel';
import { sendPageError } from '../pages/page-routes.ts';
import { returnPathOf } from '../pages/return-path.ts';
import { signInOriginOf } from '../request-origin.ts';
import type { Cookie } from '../sessions/cookie.ts';
import type { SessionCookie } from '../sessions/session-cookie.ts';
import { LINK_ACCOUNT_PATH } from './link-account-page.ts';
import { LINK_MS, type OidcService } from './oidc.service.ts';
import type { SignInFlows } from './sign-in-flow.ts';

export interface OidcRoutesDependencies {
  oidc: OidcService;
  flows: Pick<SignInFlows, 'end'>;
  cookie: SessionCookie;
  /** Cookie with the token of an account that waits for its confirmation. */
  linkCookie: Cookie;
  outageError: ((thrown: unknown) => AppError | undefined) | undefined;
}

const NO_STORE = { 'cache-control': 'no-store' } as const;

/** Routes that a browser comes to by following links, so that what goes wrong is a page for it. */
export function oidcRoutes({ oidc, flows, cookie, linkCookie, outageError }: OidcRoutesDependencies): Route[] {
  return [
    route(startOidc, async ({ params, query }) => {
      const { location, setCookie } = await oidc.start(params.provider, returnPathOf(query.returnTo));
      return answer(303, null, { location, 'set-cookie': setCookie, ...NO_STORE });
    }),
    route(finishOidc, async ({ params, query: { state } }, context) => {
      const { request, response } = context;
      // The flow is over, however it ends: what comes again is not taken.
      response.appendHeader('set-cookie', flows.end());
      const query = new URL(request.originalUrl, 'http://localhost').search;
      const browser = { origin: signInOriginOf(context), replaced: cookie.read(request) };
      const finished = await oidc.finish(params.provider, { request, state, query }, browser);
      const isIn = 'opened' in finished;
      response.appendHeader(
        'set-cookie',
        isIn ? finished.opened.setCookie : linkCookie.give(finished.linkToken, LINK_MS),
      );
      return answer(303, null, { location: isIn ? finished.returnTo : LINK_ACCOUNT_PATH, ...NO_STORE });
    }),
  ].map((entry) => withPages(entry, outageError));
}

/** Answers a browser with a page where the handler of a route fails. */
function withPages(entry: Route, outageError: OidcRoutesDependencies['outageError']): Route {
  return {
    ...entry,
    async handler(input, context) {
      try {
        return await entry.handler(input, context);
      } catch (thrown) {
        const error = outageError?.(thrown) ?? toAppError(thrown);
        const { request, response, logger } = context;
        // Reason for the operator; errors of the deployment itself are logged where they are answered.
        if (error.status < 500) logger.info({ err: error.cause, code: error.code }, error.message);
        if (request.headers.accept?.includes('text/html') !== true) throw error;
        if (error.status >= 500) logger.error({ err: error.cause ?? error, code: error.code }, error.message);
        sendPageError(response, error);
        return STREAMED;
      }
    },
  };
}
