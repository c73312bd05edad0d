import { z } from 'zod';
import { Password } from '@clew/contracts';
import { form, readForm, type Field } from '../pages/forms.ts';
import { markup } from '../pages/html.ts';
import { formAgain, type Page } from '../pages/page-routes.ts';
import type { Cookie } from '../sessions/cookie.ts';
import type { SessionCookie } from '../sessions/session-cookie.ts';
import { browserOf } from '../sign-in/browser.ts';
import type { LinkAccount, OwnershipProof, PendingLink } from './link-account.ts';

export interface LinkAccountPageDependencies {
  linkAccount: LinkAccount;
  cookie: SessionCookie;
  /** Cookie with the token of the link. */
  linkCookie: Cookie;
}

export const LINK_ACCOUNT_PATH = '/sign-in/account';

const PASSWORD: Field = {
  name: 'password',
  label: 'Password of your account',
  type: 'password',
  autocomplete: 'current-password',
};
const LINK: Field = { name: 'link', label: 'Link that signs you in once', type: 'text', autocomplete: 'off' };
const ConfirmForm = z.union([z.strictObject({ password: Password }), z.strictObject({ link: z.string().max(2_000) })]);
const TOKEN = /[\w-]{43}$/;

/** Page on which the person of an existing account confirms that the account at a provider is theirs. */
export function linkAccountPage({ linkAccount, cookie, linkCookie }: LinkAccountPageDependencies): Page {
  const shown = ({ email, provider, hasPassword }: PendingLink, problem?: string) => ({
    title: 'Is this account yours?',
    content: markup`<p>${provider} has signed you in as <strong>${email}</strong>, and this address has an account here
        already. Confirm once that it is yours; from then on ${provider} signs you in.</p>
      ${problem === undefined ? '' : markup`<p class="problem" role="alert">${problem}</p>`}
      ${hasPassword ? form({ action: LINK_ACCOUNT_PATH, fields: [PASSWORD], button: 'Confirm' }) : ''}
      <h2>${hasPassword ? 'Without the password' : 'With a link'}</h2>
      <p>An administrator can make a link for you.</p>
      ${form({ action: LINK_ACCOUNT_PATH, fields: [LINK], button: 'Confirm with the link' })}`,
  });
  return {
    path: LINK_ACCOUNT_PATH,
    async get(request) {
      const token = linkCookie.read(request);
      return token === undefined ? { goTo: '/sign-in' } : shown(await linkAccount.read(token));
    },
    async post(request) {
      const token = linkCookie.read(request);
      if (token === undefined) return { goTo: '/sign-in' };
      const given = await readForm(request, ConfirmForm);
      const pending = await linkAccount.read(token);
      const proof: OwnershipProof =
        'password' in given ? given : { linkToken: TOKEN.exec(given.link.trim())?.[0] ?? '' };
      try {
        const { opened, returnTo } = await linkAccount.confirm(token, proof, browserOf(request, cookie));
        return { goTo: returnTo, headers: { 'set-cookie': [opened.setCookie, linkCookie.take()] } };
      } catch (error) {
        return formAgain(error, (problem) => shown(pending, problem));
      }
    },
  };
}
