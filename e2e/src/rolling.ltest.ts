import { describe, expect, it } from '@jest/globals';
import { restartApp } from '@clew/stack';
import { encodeConversation, toOtlpJson, type EncodedSpan } from '@clew/testing';
import { callApi } from './support/api.ts';
import { processes } from './support/chaos.ts';
import { failingToolConversation } from './support/conversations.ts';
import { expectAnalysedOnce, expectFindings, expectStoredOnce } from './support/crash-checks.ts';
import { stackHome } from './support/stack.ts';
import { namesOf, startSteadyLoad } from './support/steady-load.ts';
import { createTestProject, type TestProject } from './support/test-project.ts';

/** Restarts of each service. */
const ROUNDS = Number(process.env['CLEW_ROLLING_ROUNDS'] ?? 10);
/** Conversations sent during each restart. */
const CONVERSATIONS_EACH = 3;
const TIMEOUT_MS = 3_600_000;

describe('a rolling restart of each service, under load', () => {
  it(
    'fails no idempotent request, and doubles no effect',
    async () => {
      const apps = [...new Set(processes().map(({ name }) => name))];
      expect(processes().filter(({ name }) => name === 'gateway')).toHaveLength(2);
      const project = await createTestProject('rolling');
      const load = startSteadyLoad(project);
      const sent: EncodedSpan[] = [];
      const restarts: string[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const app of apps) {
          await Promise.all([
            restartApp(stackHome(), app).then(() => restarts.push(app)),
            sendConversations(project, `${app}-${round}`).then((spans) => sent.push(...spans)),
          ]);
        }
      }
      const { failed, requests, repeated, names } = await load.stop();
      expect(failed).toEqual([]);
      for (const what of ['datasets', 'goals', 'providers'] as const) {
        expect(await namesOf(project, what)).toEqual(names[what].toSorted());
      }
      const conversations = ROUNDS * apps.length * CONVERSATIONS_EACH;
      await expectStoredOnce(project, sent, new Set(sent.map(({ traceId, spanId }) => `${traceId}:${spanId}`)));
      await expectFindings(project, conversations, conversations);
      await expectAnalysedOnce(project);
      process.stdout.write(
        `${JSON.stringify({ restarts: restarts.length, conversations, requests, repeated, made: Object.values(names).flat().length })}\n`,
      );
    },
    TIMEOUT_MS,
  );
});

/** Sends each conversation once: a refused batch of spans fails the test. */
async function sendConversations(project: TestProject, name: string): Promise<EncodedSpan[]> {
  const sent: EncodedSpan[] = [];
  for (let index = 0; index < CONVERSATIONS_EACH; index += 1) {
    const script = failingToolConversation(`${name}-${index}`);
    const { spans } = encodeConversation(script, {
      dialect: 'genai',
      startMs: Date.now() - 60_000,
      idSeed: script.conversationId,
    });
    const { status } = await callApi(project.apiKey, '/v1/traces', { body: toOtlpJson({ spans, logs: [] }) });
    expect(status).toBe(200);
    sent.push(...spans);
  }
  return sent;
}
