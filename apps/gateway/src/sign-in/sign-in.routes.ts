import {
  changeMyPassword,
  createOneTimeLink,
  endMyOtherSessions,
  endMySession,
  getSignInMethods,
  listMySessions,
  setUp,
  signIn,
  signOut,
} from '@clew/contracts';
import { answer, route, type RequestContext, type Route } from '@clew/http';
import { callerOf, signedInOf } from '../caller.ts';
import { personView } from '../people/user.ts';
import { originOf, signInOriginOf } from '../request-origin.ts';
import type { SessionCookie } from '../sessions/session-cookie.ts';
import { sessionView } from '../sessions/session.ts';
import type { OpenedSession, Sessions } from '../sessions/sessions.service.ts';
import type { OneTimeLinksService } from './one-time-links.service.ts';
import type { ChangePassword } from './password-change.ts';
import type { SetupService } from './setup.service.ts';
import type { SignInWays } from './ways.ts';
import type { Browser, SignInService } from './sign-in.service.ts';

export interface SignInRoutesDependencies {
  signIn: SignInService;
  setup: SetupService;
  sessions: Sessions;
  oneTimeLinks: OneTimeLinksService;
  changePassword: ChangePassword;
  cookie: SessionCookie;
  minPasswordLength: number;
  ways: SignInWays;
}

const NO_STORE = { 'cache-control': 'no-store' } as const;

export function signInRoutes(deps: SignInRoutesDependencies): Route[] {
  const { sessions, cookie } = deps;
  const browserOf = (context: RequestContext): Browser => ({
    origin: signInOriginOf(context),
    replaced: cookie.read(context.request),
  });
  return [
    route(signIn, async ({ body }, context) => {
      const browser = browserOf(context);
      const opened =
        'token' in body
          ? await deps.signIn.withLink(body.token, browser)
          : await deps.signIn.withPassword(body.email, body.password, browser);
      return answer(200, { person: personView(opened.user) }, given(opened));
    }),
    route(signOut, async (_input, context) => {
      const value = cookie.read(context.request);
      if (value !== undefined) await sessions.endByValue(value, originOf(context));
      return answer(204, null, { 'set-cookie': cookie.take() });
    }),
    route(getSignInMethods, async () =>
      answer(200, {
        ...{ password: deps.ways.passwords, minPasswordLength: deps.minPasswordLength },
        providers: [...deps.ways.providers],
        setup: await deps.setup.isNeeded(),
      }),
    ),
    route(setUp, async ({ body }, context) => {
      const opened = await deps.setup.setUp(body, browserOf(context));
      return answer(200, { person: personView(opened.user) }, given(opened));
    }),
    route(createOneTimeLink, async ({ body }, context) =>
      answer(200, await deps.oneTimeLinks.create(callerOf(context), body.email, originOf(context)), NO_STORE),
    ),
    route(listMySessions, async (_input, context) => {
      const { id, session } = signedInOf(context);
      const all = await sessions.list(id);
      return answer(200, { sessions: all.map((each) => sessionView(each, session.id)) });
    }),
    route(endMyOtherSessions, async (_input, context) => {
      const { user, session } = signedInOf(context);
      await sessions.end(user, { allBut: session.id }, originOf(context));
      return answer(204, null);
    }),
    route(endMySession, async ({ params }, context) => {
      await sessions.end(signedInOf(context).user, { ids: [params.sessionId] }, originOf(context));
      return answer(204, null);
    }),
    route(changeMyPassword, async ({ body }, context) => {
      const opened = await deps.changePassword(signedInOf(context), body, signInOriginOf(context));
      return answer(204, null, given(opened));
    }),
  ];
}

function given({ setCookie }: OpenedSession): Record<string, string> {
  return { 'set-cookie': setCookie, ...NO_STORE };
}
