import type { Request } from 'express';
import { z } from 'zod';
import { EmailAddress, LinkToken, Name, Password } from '@clew/contracts';
import type { Authenticator } from '../auth/authenticator.ts';
import type { SignedIn } from '../auth/credential.ts';
import type { SessionCookie } from '../sessions/session-cookie.ts';
import type { Sessions } from '../sessions/sessions.service.ts';
import type { ChangePassword } from './password-change.ts';
import type { SetupService } from './setup.service.ts';
import type { SignInService } from './sign-in.service.ts';
import type { SignInWays } from './ways.ts';
import { browserOf, originOfPage } from './browser.ts';
import { form, newPasswordField, queryOf, readForm, type Field } from '../pages/forms.ts';
import { markup, type Html } from '../pages/html.ts';
import { formAgain, type Page, type PageAnswer } from '../pages/page-routes.ts';
import { HOME, returnPathOf } from '../pages/return-path.ts';
import { providerLinks } from './provider-links.ts';

export interface SignInPagesDependencies {
  authenticator: Pick<Authenticator, 'signedIn'>;
  signIn: SignInService;
  setup: SetupService;
  sessions: Sessions;
  changePassword: ChangePassword;
  cookie: SessionCookie;
  minPasswordLength: number;
  ways: SignInWays;
  /** Names of the projects that are open to a person. */
  projectNames: (signedIn: SignedIn) => Promise<string[]>;
}

const CURRENT_PASSWORD: Field = {
  ...{ name: 'currentPassword', label: 'Current password' },
  type: 'password',
  autocomplete: 'current-password',
};
const PasswordForm = z.object({ currentPassword: Password.optional(), newPassword: Password });

/** Pages to sign in and out, to set up the deployment, and about the account of who is signed in. */
export function signInPages(deps: SignInPagesDependencies): Page[] {
  return [
    accountPage(deps, HOME),
    accountPage(deps, '/account'),
    signInPage(deps),
    linkPage(deps),
    signOutPage(deps),
    setupPage(deps),
    passwordPage(deps),
  ];
}

function signedInAnswer(setCookie: string, goTo = HOME): PageAnswer {
  return { goTo, headers: { 'set-cookie': setCookie } };
}

/** Page that says who is signed in; it is the first one, too, where no Workbench is served. */
function accountPage({ authenticator, projectNames, ways }: SignInPagesDependencies, path: string): Page {
  return {
    path,
    async get(request) {
      const signedIn = await authenticator.signedIn(request);
      if (signedIn === undefined) return { goTo: '/sign-in' };
      const { name, email, owner } = signedIn.user;
      const names = await projectNames(signedIn);
      const content = markup`<p>You are signed in as <strong>${name}</strong> (${email})${owner ? ', an owner' : ''}.</p>
        <h2>Projects</h2>
        ${
          names.length === 0
            ? markup`<p>There is none yet.</p>`
            : markup`<ul>
                ${names.map((each) => markup`<li>${each}</li>`)}
              </ul>`
        }
        <p>${ways.passwords ? markup`<a href="/password">Change the password</a> · ` : ''}<a href="/docs/">API</a></p>
        ${form({ action: '/sign-out', fields: [], button: 'Sign out' })}`;
      return { title: 'Clew', content };
    },
  };
}

function signInPage({ authenticator, signIn, cookie, ways }: SignInPagesDependencies): Page {
  const shown = (returnTo: string, email?: string, problem?: string): { title: string; content: Html } => ({
    title: 'Sign in',
    content: markup`${providerLinks(ways.providers, 'Sign in', returnTo)}
    ${
      ways.passwords
        ? form({
            action: '/sign-in',
            fields: [
              { name: 'email', label: 'Mail address', type: 'email', autocomplete: 'username', value: email },
              { name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' },
            ],
            hidden: returnTo === HOME ? {} : { returnTo },
            button: 'Sign in',
            problem,
          })
        : ''
    }`,
  });
  const SignInForm = z.object({ email: z.string(), password: Password, returnTo: z.string().optional() });
  return {
    path: '/sign-in',
    async get(request) {
      const returnTo = returnPathOf(queryOf(request, 'returnTo'));
      return (await authenticator.signedIn(request)) === undefined ? shown(returnTo) : { goTo: returnTo };
    },
    async post(request) {
      const { email, password, returnTo: given } = await readForm(request, SignInForm);
      const returnTo = returnPathOf(given);
      try {
        const address = EmailAddress.safeParse(email).data ?? email;
        const { setCookie } = await signIn.withPassword(address, password, browserOf(request, cookie));
        return signedInAnswer(setCookie, returnTo);
      } catch (error) {
        return formAgain(error, (problem) => shown(returnTo, email, problem));
      }
    },
  };
}

/** Link that signs in once. Opening it changes nothing: programs that look at links would use it up. */
function linkPage({ signIn, cookie }: SignInPagesDependencies): Page {
  return {
    path: '/sign-in/link',
    get: (request) => ({
      title: 'Sign in',
      content: markup`<p>This link signs you in once, without a password.</p>
        ${form({
          action: '/sign-in/link',
          fields: [],
          hidden: { token: queryOf(request, 'token') ?? '' },
          button: 'Sign in',
        })}`,
    }),
    async post(request) {
      const { token } = await readForm(request, z.object({ token: z.string() }));
      return signedInAnswer((await signIn.withLink(token, browserOf(request, cookie))).setCookie);
    },
  };
}

function signOutPage({ sessions, cookie }: SignInPagesDependencies): Page {
  return {
    path: '/sign-out',
    get: () => ({ goTo: HOME }),
    async post(request) {
      const { origin, replaced } = browserOf(request, cookie);
      if (replaced !== undefined) await sessions.endByValue(replaced, origin);
      return { goTo: '/sign-in', headers: { 'set-cookie': cookie.take() } };
    },
  };
}

function setupPage({ setup, cookie, minPasswordLength }: SignInPagesDependencies): Page {
  const shown = (given: { token: string; email?: string; name?: string }, problem?: string) => ({
    title: 'Make the first owner',
    content: form({
      action: '/setup',
      hidden: { token: given.token },
      fields: [
        { name: 'name', label: 'Your name', type: 'text', autocomplete: 'name', value: given.name },
        { name: 'email', label: 'Mail address', type: 'email', autocomplete: 'username', value: given.email },
        newPasswordField('password', minPasswordLength),
      ],
      button: 'Begin',
      problem,
    }),
  });
  const SetupForm = z.object({ token: z.string(), name: z.string(), email: z.string(), password: z.string() });
  const Valid = z.object({ token: LinkToken, name: Name, email: EmailAddress, password: Password });
  return {
    path: '/setup',
    async get(request) {
      const token = queryOf(request, 'token');
      if (token === undefined || !(await setup.isOpen(token))) return { goTo: '/sign-in' };
      return shown({ token });
    },
    async post(request) {
      const given = await readForm(request, SetupForm);
      const valid = Valid.safeParse(given);
      if (!valid.success) return { ...shown(given, problemOf(valid.error)), status: 400 };
      try {
        return signedInAnswer((await setup.setUp(valid.data, browserOf(request, cookie))).setCookie);
      } catch (error) {
        return formAgain(error, (problem) => shown(given, problem));
      }
    },
  };
}

function passwordPage({ authenticator, changePassword, minPasswordLength }: SignInPagesDependencies): Page {
  const shown = ({ user }: SignedIn, problem?: string) => ({
    title: 'Change the password',
    content: form({
      action: '/password',
      fields: [
        ...(user.credentials.length === 0 ? [] : [CURRENT_PASSWORD]),
        newPasswordField('newPassword', minPasswordLength),
      ],
      button: 'Change',
      problem,
    }),
  });
  const required = (request: Request) => authenticator.signedIn(request);
  return {
    path: '/password',
    async get(request) {
      const signedIn = await required(request);
      return signedIn === undefined ? { goTo: '/sign-in' } : shown(signedIn);
    },
    async post(request) {
      const signedIn = await required(request);
      if (signedIn === undefined) return { goTo: '/sign-in' };
      const change = await readForm(request, PasswordForm);
      try {
        return signedInAnswer((await changePassword(signedIn, change, originOfPage(request))).setCookie);
      } catch (error) {
        return formAgain(error, (problem) => shown(signedIn, problem));
      }
    },
  };
}

function problemOf(error: z.ZodError): string {
  const [issue] = error.issues;
  return issue === undefined ? 'The form is not valid' : `${String(issue.path[0])}: ${issue.message}`;
}
