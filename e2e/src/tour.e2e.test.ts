import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ModelDetail } from '@clew/contracts';
import { readSamples, seed } from '@clew/seed';
import { eventually } from '@clew/testing';
import { runningStack } from './support/stack.ts';
import { createTestProject, type TestProject } from './support/test-project.ts';
import { differencesOf, PLACEHOLDER, stepsOfTour, TourShell, type TourStep } from './support/tour.ts';

const MINUTE = 60_000;
const READY_TIMEOUT_MS = 30_000;
/** Operations that start an engine, which has its own test. */
const TOO_LONG = ['installEngine', 'startModelDownload', 'startModelService', 'createChatCompletion'];

let project: TestProject;
let steps: TourStep[];

beforeAll(async () => {
  project = await createTestProject('tour');
  steps = await stepsOfTour();
  const { gatewayUrl } = runningStack();
  await seed({ gatewayUrl, apiKey: project.apiKey, samples: readSamples(), nowMs: Date.now() });
  // Needs as many Findings as the first answer of the tour shows, and one more.
  await eventually(async () => expect((await project.findings('&severity=medium')).length).toBeGreaterThan(1), {
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

/** Waits for the Finding that the tour promises for its imported conversation. */
async function untilFound(conversationId: string): Promise<void> {
  await eventually(
    async () => {
      const found = await project.findings();
      expect(found.map((finding) => finding.conversationId)).toContain(conversationId);
    },
    { timeoutMs: READY_TIMEOUT_MS },
  );
}

/** Replaces `<id>` and the like by the id in the previous answer. */
function withIds(command: string, answer: unknown): string {
  return command.replace(PLACEHOLDER, () => {
    const { id, conversations } = answer as { id?: string; conversations?: { id: string }[] };
    const found = id ?? conversations?.[0]?.id;
    if (found === undefined) throw new Error(`Nothing before it has an id for: ${command}`);
    return found;
  });
}

/** Parses the first line of a file of lines. */
function parsed(text: string): unknown {
  return JSON.parse(text.split('\n', 1)[0] ?? '');
}
