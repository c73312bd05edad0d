import { z } from 'zod';
import { Password, type OpenReset } from '@clew/contracts';
import { refusedForm, signedInAnswer, tokenOf, type ShownForm } from '../links/link-page.ts';
import { form, newPasswordField, readForm } from '../pages/forms.ts';
import type { Page } from '../pages/page-routes.ts';
import { addressOf } from '../request-origin.ts';
import type { SessionCookie } from '../sessions/session-cookie.ts';
import { browserOf } from '../sign-in/browser.ts';
import type { ResetsService } from './resets.service.ts';

export interface ResetPageDependencies {
  resets: ResetsService;
  cookie: SessionCookie;
  minPasswordLength: number;
}

/** Page of a reset link. Opening it changes nothing. */
export function resetPage({ resets, cookie, minPasswordLength }: ResetPageDependencies): Page {
  const shown = (token: string, { email }: OpenReset, problem?: string): ShownForm => ({
    title: 'Set a new password',
    content: form({
      action: `/resets/${encodeURIComponent(token)}`,
      fields: [
        { name: 'email', label: 'Mail address', type: 'email', autocomplete: 'username', value: email },
        newPasswordField('password', minPasswordLength),
      ],
      button: 'Set the password',
      problem,
    }),
  });
  return {
    path: '/resets/:token',
    async get(request) {
      const token = tokenOf(request);
      return shown(token, await resets.read(token, addressOf(request)));
    },
    async post(request) {
      const token = tokenOf(request);
      const given = await readForm(request, z.object({ email: z.string().optional(), password: z.string() }));
      const reset = await resets.read(token, addressOf(request));
      try {
        const password = Password.parse(given.password);
        return signedInAnswer(await resets.use(token, password, browserOf(request, cookie)));
      } catch (error) {
        return refusedForm(error, (problem) => shown(token, reset, problem));
      }
    },
  };
}
