import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ModelDetail } from '@clew/contracts';
import { readSamples, seed } from '@clew/seed';
import { eventually } from '@clew/testing';
import { runningStack } from './support/stack.ts';
import { createTestProject, type TestProject } from './support/test-project.ts';
import { differencesOf, PLACEHOLDER, stepsOfTour, TourShell, type TourStep } from './support/tour.ts';

const MINUTE = 60_000;
const READY_TIMEOUT_MS = 30_000;
/** They bring up an engine, which has a test of its own. */
const TOO_LONG = ['installEngine', 'startModelDownload', 'startModelService', 'createChatCompletion'];

let project: TestProject;
let steps: TourStep[];

beforeAll(async () => {
  project = await createTestProject('tour');
  steps = await stepsOfTour();
  const { gatewayUrl } = runningStack();
  await seed({ gatewayUrl, apiKey: project.apiKey, samples: readSamples(), nowMs: Date.now() });
  // As much as the first answer of the tour shows, and more behind it.
  await eventually(async () => expect((await project.findings('&severity=high')).length).toBeGreaterThan(1), {
    timeoutMs: MINUTE,
  });
}, 2 * MINUTE);

describe('the tour of the README', () => {
  it('can be walked: each command does what the next one needs, and answers as is shown', async () => {
    const shell = new TourShell({ KEY: project.apiKey, PROJECT: project.id });
    const operations: string[] = [];
    let answer: unknown;
    for (const { command, shown } of steps) {
      const filledIn = withIds(command, answer).replace('http://127.0.0.1:8080', runningStack().gatewayUrl);
      if (command.startsWith('export')) {
        await shell.run(filledIn);
        continue;
      }
      const operation = await shell.operationOf(filledIn);
      operations.push(operation);
      if (TOO_LONG.includes(operation)) continue;
      answer = parsed(await shell.run(filledIn));
      if (shown !== undefined) expect(differencesOf(shown, answer)).toEqual([]);
      if (operation === 'listFindings') expect(answer).toHaveProperty('findings.0');
      if (operation === 'importConversations') await untilFound('tour');
      if (operation === 'getModel') shell.variables['PROFILE'] = (answer as ModelDetail).selectedProfileId ?? '';
    }
    expect(operations).toEqual(
      expect.arrayContaining(['listFindings', 'importConversations', 'importExamples', ...TOO_LONG]),
    );
    expect(answer).toHaveProperty('activity');
  });
});

/** What the tour promises for the conversation that it imports. */
async function untilFound(conversationId: string): Promise<void> {
  await eventually(
    async () => {
      const found = await project.findings();
      expect(found.map((finding) => finding.conversationId)).toContain(conversationId);
    },
    { timeoutMs: READY_TIMEOUT_MS },
  );
}

/** `<id>` and the like stand for what the command before has answered. */
function withIds(command: string, answer: unknown): string {
  return command.replace(PLACEHOLDER, () => {
    const { id, conversations } = answer as { id?: string; conversations?: { id: string }[] };
    const found = id ?? conversations?.[0]?.id;
    if (found === undefined) throw new Error(`Nothing before it has an id for: ${command}`);
    return found;
  });
}

/** A file of lines is read by its first one. */
function parsed(text: string): unknown {
  return JSON.parse(text.split('\n', 1)[0] ?? '');
}
