import { describe, expect, it } from '@jest/globals';
import { settled, type Hands, type Person, type Thing } from '@clew/browser';
import { runningStack } from '../support/stack.ts';
import { createTestProject } from '../support/test-project.ts';
import { HANDS, focusIsKept, JOURNEY_TIMEOUT_MS, visit } from '../support/workbench/journeys.ts';
import { useBrowser } from '../support/workbench/workbench.ts';

const { browser, openOwner } = useBrowser();
const NAME = 'Ada Colleague';
const PASSWORD = 'bluish tractor overhead';
const button = (name: string): Thing => ({ role: 'button', name });

/** Invites somebody as an admin of the project; resolves with the link that the page shows this once. */
async function invite(person: Person, hands: Hands, email: string): Promise<string> {
  await hands.press(button('Invite'));
  await hands.write({ role: 'textbox', name: 'E-mail address' }, email);
  await hands.choose({ role: 'combobox', name: 'Role' }, /^Admin/);
  await hands.press(button('Make the link'));
  const link = (await person.page.getByLabel('Link', { exact: true }).innerText()).trim();
  await hands.press(button('I have kept it'));
  await person.page.getByRole('dialog').waitFor({ state: 'detached' });
  await focusIsKept(person);
  return link;
}

async function accept(colleague: Person, hands: Hands, link: string): Promise<void> {
  await colleague.go(link);
  await hands.write({ role: 'textbox', name: 'Your name' }, NAME);
  await hands.write({ role: 'textbox', name: /^New password/ }, PASSWORD);
  await hands.press(button('Accept'));
  await colleague.page.getByRole('navigation', { name: 'Main' }).waitFor();
}

/** Tries to make a Dataset by the API, with the session of the page. */
async function makeDataset({ context }: Person, projectId: string): Promise<number> {
  const { gatewayUrl } = runningStack();
  const answer = await context.request.post(new URL(`/v1/projects/${projectId}/datasets`, gatewayUrl).href, {
    data: { name: 'by hand', schema: { type: 'chat', version: 1 } },
    headers: { origin: new URL(gatewayUrl).origin },
  });
  return answer.status();
}

describe.each(HANDS)('members %s', (name, handsOf) => {
  it(
    'a colleague is invited by a link, chooses a password and sees that project alone; a lower role takes their buttons away while they look, and the API refuses them; a role that is given leaves the focus in its field',
    async () => {
      const project = await createTestProject(`members ${name}`);
      const email = `ada-${project.id.toLowerCase()}@example.com`;
      const [person, colleague] = await Promise.all([openOwner(), browser().openSignedOut()]);
      const hands: Hands = handsOf(person.page);
      const theirHands: Hands = handsOf(colleague.page);
      await visit(person, `/p/${project.id}/settings/members`);
      await accept(colleague, theirHands, await invite(person, hands, email));

      await colleague.page.waitForURL(new RegExp(`/p/${project.id}`));
      await theirHands.press({ role: 'button', name: /^Project/ });
      await colleague.page.getByRole('menu').waitFor();
      expect(await colleague.page.getByRole('menuitem').allInnerTexts()).toEqual([expect.stringContaining('members')]);
      await colleague.page.keyboard.press('Escape');
      await theirHands.press({ role: 'link', name: /^Datasets/ });
      await settled(colleague.page, colleague.watch);
      const make = colleague.page.getByRole('button', { name: 'New Dataset' }).first();
      await make.waitFor();
      expect(await makeDataset(colleague, project.id)).toBe(201);

      await visit(person, `/p/${project.id}/settings/members`);
      await hands.choose({ role: 'combobox', name: `Role of ${NAME}` }, 'Viewer');
      await make.waitFor({ state: 'detached' });
      expect(await makeDataset(colleague, project.id)).toBe(403);
      await person.page.getByRole('combobox', { name: `Role of ${NAME}` }).press('End');
      await make.waitFor();
      await focusIsKept(person);
      expect([...person.watch.told(), ...colleague.watch.told()]).toEqual([]);
      await Promise.all([person.close(), colleague.close()]);
    },
    JOURNEY_TIMEOUT_MS,
  );
});
