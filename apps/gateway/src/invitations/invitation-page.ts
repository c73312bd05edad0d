import { z } from 'zod';
import { Name, Password, type OpenInvitation } from '@clew/contracts';
import { refusedForm, signedInAnswer, tokenOf, type ShownForm } from '../links/link-page.ts';
import { form, newPasswordField, readForm, type Field } from '../pages/forms.ts';
import { markup, type Html } from '../pages/html.ts';
import type { Page } from '../pages/page-routes.ts';
import { addressOf } from '../request-origin.ts';
import type { SessionCookie } from '../sessions/session-cookie.ts';
import { browserOf } from '../sign-in/browser.ts';
import { providerLinks } from '../sign-in/provider-links.ts';
import type { SignInWays } from '../sign-in/ways.ts';
import type { AcceptInvitationService } from './accept-invitation.ts';

export interface InvitationPageDependencies {
  invitations: AcceptInvitationService;
  cookie: SessionCookie;
  minPasswordLength: number;
  ways: SignInWays;
}

/** Page of an invitation. Opening it changes nothing. */
export function invitationPage({ invitations, cookie, minPasswordLength, ways }: InvitationPageDependencies): Page {
  const shown = (
    token: string,
    invitation: OpenInvitation,
    given: { name?: string; problem?: string } = {},
  ): ShownForm => ({
    title: `Invitation to ${invitation.workspace}`,
    content: markup`${describe(invitation)}
    ${providerLinks(ways.providers, 'Accept')}
    ${
      invitation.takesPassword
        ? form({
            action: `/invitations/${encodeURIComponent(token)}`,
            fields: fieldsOf(invitation, given.name, minPasswordLength),
            button: 'Accept',
            problem: given.problem,
          })
        : ''
    }`,
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
        return refusedForm(error, again);
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
