import type { Request } from 'express';
import { z } from 'zod';
import { DeviceDecision, ProjectId, UserCode } from '@clew/contracts';
import type { Authenticator } from '../auth/authenticator.ts';
import type { SignedIn } from '../auth/credential.ts';
import { form, queryOf, readForm } from '../pages/forms.ts';
import { markup, type Html } from '../pages/html.ts';
import { formAgain, type Page, type PageAnswer } from '../pages/page-routes.ts';
import { originOfPage } from '../sign-in/browser.ts';
import type { StoredDevice } from './device.ts';
import type { DevicesService } from './devices.service.ts';
import { shownUserCode } from './user-code.ts';

export interface DevicePageDependencies {
  authenticator: Pick<Authenticator, 'signedIn'>;
  devices: DevicesService;
  /** Projects that are open to a person. */
  projectsOf: (signedIn: SignedIn) => Promise<readonly { id: string; name: string }[]>;
}

const PATH = '/device';
const DeviceForm = z.strictObject({
  userCode: UserCode,
  decision: DeviceDecision.optional(),
  projectId: z.union([z.literal(''), ProjectId]).optional(),
});

/** Page on which a person approves a device: first its code, then what asks, and from where. */
export function devicePage({ authenticator, devices, projectsOf }: DevicePageDependencies): Page {
  const codeForm = (value: string, problem?: string) => ({
    title: 'Connect a device',
    content: markup`<p>Type the code that the device shows.</p>
      ${form({
        action: PATH,
        fields: [{ name: 'userCode', label: 'Code', type: 'text', autocomplete: 'off', value }],
        button: 'Go on',
        problem,
      })}`,
  });

  async function decisionForm(device: StoredDevice, userCode: string, signedIn: SignedIn): Promise<PageAnswer> {
    const projects = await projectsOf(signedIn);
    return {
      title: 'Connect this device?',
      content: markup`<p><strong>${device.name}</strong> asks for a key of yours, from ${device.address ?? 'an unknown address'}.
          It may then do what you may do, for 90 days.</p>
        <p>Go on only if you have just started this yourself, and the device shows this code:</p>
        <p><code>${shownUserCode(userCode)}</code></p>
        <form method="post" action="${PATH}">
          <input type="hidden" name="userCode" value="${userCode}">
          <label>For
            <select name="projectId">${[{ id: '', name: 'All my projects' }, ...projects].map(optionOf)}</select></label>
          <button name="decision" value="approve">Approve</button>
          <button name="decision" value="deny">Deny</button>
        </form>`,
    };
  }

  return {
    path: PATH,
    async get(request) {
      const code = UserCode.safeParse(queryOf(request, 'code') ?? '').data ?? '';
      if ((await authenticator.signedIn(request)) === undefined) return toSignIn(code);
      return codeForm(shown(code));
    },
    async post(request: Request) {
      const signedIn = await authenticator.signedIn(request);
      const { userCode, decision, projectId = '' } = await readForm(request, DeviceForm);
      if (signedIn === undefined) return toSignIn(userCode);
      const decider = { user: signedIn.user, origin: originOfPage(request) };
      try {
        if (decision === undefined) {
          return await decisionForm(await devices.find(userCode, decider), userCode, signedIn);
        }
        const of = projectId === '' ? {} : { projectId };
        const { name } = await devices.decide({ userCode, decision, ...of }, decider);
        return {
          title: decision === 'approve' ? 'The device is connected' : 'The device is denied',
          content: markup`<p><strong>${name}</strong> ${decision === 'approve' ? 'takes its key now.' : 'gets no key.'} You can close this page.</p>`,
        };
      } catch (error) {
        return formAgain(error, (problem) => codeForm(shown(userCode), problem));
      }
    },
  };
}

function optionOf({ id, name }: { id: string; name: string }): Html {
  return markup`<option value="${id}">${name}</option>`;
}

function shown(userCode: string): string {
  return userCode === '' ? '' : shownUserCode(userCode);
}

function toSignIn(userCode: string): PageAnswer {
  const returnTo = userCode === '' ? PATH : `${PATH}?code=${encodeURIComponent(shown(userCode))}`;
  return { goTo: `/sign-in?${new URLSearchParams({ returnTo }).toString()}` };
}
