import type { Request } from 'express';
import { z } from 'zod';
import { Name, Password, type OpenInvitation, type OpenReset } from '@clew/contracts';
import type { AcceptInvitationService } from '../invitations/accept-invitation.ts';
import { addressOf } from '../request-origin.ts';
import type { ResetsService } from '../resets/resets.service.ts';
import type { SessionCookie } from '../sessions/session-cookie.ts';
import { browserOf } from './browser.ts';
import { form, newPasswordField, readForm, type Field } from './forms.ts';
import { markup, type Html } from './html.ts';
import { formAgain, type Page, type PageAnswer } from './page-routes.ts';

export interface LinkPagesDependencies {
  invitations: AcceptInvitationService;
  resets: ResetsService;
  cookie: SessionCookie;
  minPasswordLength: number;
}

interface Shown {
  title: string;
  content: Html;
}

/** Pages of links that let somebody in: invitations and resets. Opening one changes nothing. */
export function linkPages(deps: LinkPagesDependencies): Page[] {
  return [invitationPage(deps), resetPage(deps)];
}

function invitationPage({ invitations, cookie, minPasswordLength }: LinkPagesDependencies): Page {
  const shown = (
    token: string,
    invitation: OpenInvitation,
    given: { name?: string; problem?: string } = {},
  ): Shown => ({
    title: `Invitation to ${invitation.workspace}`,
    content: markup`${describe(invitation)}
    ${form({
      action: `/invitations/${encodeURIComponent(token)}`,
      fields: fieldsOf(invitation, given.name, minPasswordLength),
      button: 'Accept',
      problem: given.problem,
    })}`,
  });
  const InvitationForm = z.object({ name: z.string().optional(), email: z.string().optional(), password: z.string() });
  const Valid = z.object({ name: Name.optional(), password: Password });
  return {
    path: '/invitations/:token',
    async get(request) {
      const token = tokenOf(request);
      return shown(token, await invitations.read(token, addressOf(request)));
    },
    async post(request) {
      const token = tokenOf(request);
      const { name, password } = await readForm(request, InvitationForm);
      const invitation = await invitations.read(token, addressOf(request));
      try {
        const body = Valid.parse({ name, password });
        return signedInAnswer(await invitations.accept(token, body, browserOf(request, cookie)));
      } catch (error) {
        const again = (problem: string) =>
          shown(token, invitation, { problem, ...(name === undefined ? {} : { name }) });
        return refused(error, again);
      }
    },
  };
}

function describe({ role, projectRoles }: OpenInvitation): Html {
  const [asOwner, inProjects] = [role === 'owner', projectRoles.length > 0];
  const whereto = [...(asOwner ? ['as an owner of the workspace'] : []), ...(inProjects ? ['to these projects'] : [])];
  const given = projectRoles.map((each) => markup`<li>${each.project}: ${each.role}</li>`);
  return markup`<p>You are invited ${whereto.join(', and ')}.</p>${inProjects ? markup`<ul>${given}</ul>` : ''}`;
}

function fieldsOf({ email, hasAccount }: OpenInvitation, name: string | undefined, minLength: number): Field[] {
  const address: Field = {
    name: 'email',
    label: 'Mail address',
    type: 'email',
    autocomplete: 'username',
    value: email,
  };
  if (hasAccount) {
    const label = 'Password of your account';
    return [address, { name: 'password', label, type: 'password', autocomplete: 'current-password' }];
  }
  const ownName: Field = { name: 'name', label: 'Your name', type: 'text', autocomplete: 'name', value: name };
  return [ownName, address, newPasswordField('password', minLength)];
}

function resetPage({ resets, cookie, minPasswordLength }: LinkPagesDependencies): Page {
  const shown = (token: string, { email }: OpenReset, problem?: string): Shown => ({
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
        return refused(error, (problem) => shown(token, reset, problem));
      }
    },
  };
}

function refused(error: unknown, again: (problem: string) => Shown): PageAnswer {
  if (error instanceof z.ZodError) {
    const [issue] = error.issues;
    return { ...again(`${String(issue?.path[0] ?? 'password')}: ${issue?.message ?? 'is not valid'}`), status: 400 };
  }
  return formAgain(error, again);
}

function signedInAnswer({ setCookie }: { setCookie: string }): PageAnswer {
  return { goTo: '/', headers: { 'set-cookie': setCookie } };
}

function tokenOf(request: Request): string {
  const { token } = request.params;
  return typeof token === 'string' ? token : '';
}
