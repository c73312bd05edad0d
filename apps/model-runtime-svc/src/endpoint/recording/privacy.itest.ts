import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DEFAULT_MASKING, type PrivacySettings } from '@clew/contracts';
import { newId, systemClock } from '@clew/kernel';
import { eventually, useTestEnvironment } from '@clew/testing';
import { startProvider, type ScriptedProvider } from '@clew/testing/provider';
import { startTestService, type TestService } from '../../test-support/service.ts';
import { pointModel } from './conversation-point.model.ts';

const environment = useTestEnvironment();
const MASKED: PrivacySettings = {
  masking: { ...DEFAULT_MASKING, enabled: true },
  contentCapture: 'full',
  salt: 'salt',
};
const CANARY = 'canary.bird@mail.com';
const MASKING = newId('prj');
const CAPTURING_STRUCTURE = newId('prj');
let service: TestService;
let provider: ScriptedProvider;

beforeAll(async () => {
  service = await startTestService(environment, {
    // Points expire by the clock of the database.
    clock: systemClock,
    privacy: { [MASKING]: MASKED, [CAPTURING_STRUCTURE]: { ...MASKED, contentCapture: 'structure' } },
  });
  provider = await startProvider();
  for (const projectId of [MASKING, CAPTURING_STRUCTURE]) {
    const body = { name: 'loop', baseUrl: provider.url };
    await service.call({ projectId, path: `/v1/projects/${projectId}/models/providers`, body });
  }
});

afterAll(async () => {
  await service.stop();
  await provider.stop();
});

async function recordOf(projectId: string, headers: Record<string, string>): Promise<string> {
  const messages = [{ role: 'user', content: `I am ${CANARY}` }];
  const body = { model: 'loop/tiny-chat', messages, user: CANARY };
  const { status } = await service.call({ projectId, path: '/v1/chat/completions', body, headers });
  expect(status).toBe(200);
  const ofProject = () => service.recorded.filter((message) => message.projectId === projectId);
  await eventually(() => expect(ofProject()).toHaveLength(1));
  return JSON.stringify(ofProject());
}

it('a call of a project that masks is recorded without what is masked, and so is its place in a conversation', async () => {
  const projectId = MASKING;
  const headers = { 'x-conversation-id': `of ${CANARY}` };
  const recorded = await recordOf(projectId, headers);
  expect(recorded).not.toContain('canary');
  expect(recorded).toContain('I am [masked email]');
  const points = await pointModel(service.database.connection).find({ projectId }).lean();
  expect(points).toHaveLength(1);
  expect(JSON.stringify(points)).not.toContain('canary');
});

it('a call is recorded without words where content is not captured', async () => {
  const recorded = await recordOf(CAPTURING_STRUCTURE, {});
  expect(recorded).not.toMatch(/canary|I am/);
  expect(recorded).toContain('[not captured: 25 characters]');
});
