import { describe, expect, it } from '@jest/globals';
import { exportSpans } from '@clew/seed';
import { settled, type Hands } from '@clew/browser';

import { encodeConversation, eventually } from '@clew/testing';
import { callApi } from '../support/api.ts';
import { cancelledOrder } from '../support/conversations.ts';
import { runningStack } from '../support/stack.ts';
import { createTestProject } from '../support/test-project.ts';
import { HANDS, failureOf, JOURNEY_TIMEOUT_MS, tell, untilFound, visit } from '../support/workbench/journeys.ts';
import { useBrowser } from '../support/workbench/workbench.ts';

const { browser, openOwner } = useBrowser();

describe.each(HANDS)('%s', (name, handsOf) => {
  it(
    'the link of the first start signs in; the empty Home of a new project fills by itself once an exporter has sent a conversation',
    async () => {
      const project = await createTestProject(`first run ${name}`);
      const person = await browser().openSignedOut();
      const hands: Hands = handsOf(person.page);
      await person.go(await oneTimeLink());
      // A link alone changes nothing, since programs that check mail open links, too.
      await hands.press({ role: 'button', name: 'Sign in' });
      await person.page.getByRole('navigation', { name: 'Main' }).waitFor();
      await visit(person, `/p/${project.id}`);
      await person.page.getByRole('heading', { name: 'No conversations yet' }).waitFor();
      const { spans } = encodeConversation(cancelledOrder('first'), {
        ...{ dialect: 'genai', startMs: Date.now(), idSeed: `first ${name}` },
      });
      await exportSpans({ gatewayUrl: runningStack().gatewayUrl, apiKey: project.apiKey, spans });
      await person.page.getByRole('heading', { name: 'Tokens' }).waitFor({ timeout: 60_000 });
      await eventually(async () => expect((await project.call('/diagnostics/conversations/first')).status).toBe(200), {
        timeoutMs: 60_000,
      });
      await hands.press({ role: 'link', name: /^Conversations/ });
      await settled(person.page, person.watch);
      await hands.openRow(0);
      await person.page.locator('article').first().waitFor();
      expect(person.watch.told()).toEqual([]);
      await person.close();
    },
    JOURNEY_TIMEOUT_MS,
  );

  it(
    'a conversation is erased once its id is typed: a receipt is shown, and it is gone with its Finding',
    async () => {
      const project = await createTestProject(`erased ${name}`);
      await tell(project, failureOf('cancel_order'));
      await untilFound(project, 1);
      const person = await openOwner();
      const hands: Hands = handsOf(person.page);
      await visit(person, `/p/${project.id}/conversations/chat-cancel_order`);
      await hands.press({ role: 'button', name: 'Erase…' });
      const dialog = person.page.getByRole('dialog');
      await dialog.waitFor();
      expect(await dialog.getByRole('button', { name: 'Erase for good' }).isDisabled()).toBe(true);
      await hands.write({ role: 'textbox', name: /^Type/ }, 'chat-cancel_order');
      await hands.press({ role: 'button', name: 'Erase for good' });
      await person.page.getByText(/Receipt ers_/).waitFor();
      await person.page.waitForURL(/\/conversations$/);
      await eventually(async () => expect(await project.findings()).toEqual([]), { timeoutMs: JOURNEY_TIMEOUT_MS });
      await visit(person, `/p/${project.id}/findings?view=all`);
      expect(await person.page.getByRole('row').count()).toBe(0);
      await visit(person, `/p/${project.id}/conversations/chat-cancel_order`);
      await person.page.getByRole('heading', { name: 'Not found' }).waitFor();
      expect(person.watch.told({ withFailedAnswers: false })).toEqual([]);
      await person.close();
    },
    JOURNEY_TIMEOUT_MS,
  );
});

/** Link that signs the owner in once, as `npm start` prints it. */
async function oneTimeLink(): Promise<string> {
  const { adminApiKey, adminEmail: email } = runningStack();
  const { status, body } = await callApi<{ link: string }>(adminApiKey, '/v1/auth/one-time-links', { body: { email } });
  if (status !== 200) throw new Error(`No link was made: ${status}`);
  return body.link;
}
