import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { publicRoutes } from '@clew/contracts/all-routes';
import { CHAT_REPO, type LoopbackHub } from '@clew/testing/hub';
import { callApi } from './support/api.ts';
import { createTestDataset } from './support/datasets.ts';
import { startModelHub } from './support/model-hub.ts';
import { runSchemathesis } from './support/schemathesis.ts';
import { runningStack } from './support/stack.ts';
import { createTestProject, type TestProject } from './support/test-project.ts';

const MIN_CASES = 5_000;
const MAX_EXAMPLES = 40;
const TIMEOUT_MS = 1_800_000;

let hub: LoopbackHub;
let project: TestProject;

beforeAll(async () => {
  hub = await startModelHub([CHAT_REPO]);
  project = await createTestProject('schemathesis');
});

afterAll(() => hub.stop());

/** Creates data to read: without it, most cases would end with a 404. */
async function fill(): Promise<void> {
  const messages = [
    { role: 'user', content: 'Cancel order 17.' },
    { role: 'assistant', content: null, tool_calls: [CANCEL] },
    { role: 'tool', tool_call_id: CANCEL.id, content: 'Error: 503 from billing' },
    { role: 'assistant', content: 'Done, your order is cancelled.' },
  ];
  const line = JSON.stringify({ id: 'filled', messages });
  const { status } = await project.call('/conversations/import', { body: line });
  expect(status).toBe(200);
  await project.readyConversation('filled');
  await createTestDataset(project);
}

const CANCEL = { id: 'c1', type: 'function', function: { name: 'cancel_order', arguments: '{"id":17}' } };

it(
  'the API answers as its description says, in every case that is made from it',
  async () => {
    await fill();
    const { body: model } = await project.call<{ selectedProfileId: string }>('/models/smollm2-135m-instruct');
    const report = await runSchemathesis({
      baseUrl: runningStack().gatewayUrl,
      apiKey: project.apiKey,
      parameters: {
        projectId: project.id,
        conversationId: 'filled',
        modelId: 'smollm2-135m-instruct',
        profileId: model.selectedProfileId,
      },
      dependent: operationsOfOthers(),
      maxExamples: MAX_EXAMPLES,
      seed: process.env['CLEW_SCHEMATHESIS_SEED'],
    });
    const { operations, failures, errors, warnings, seed } = report;
    const cases = report.test_cases.generated;
    process.stdout.write(`${JSON.stringify({ cases, operations, failures, errors, seed })}\n`);
    expect({ failures, errors }).toEqual({ failures: [], errors: [] });
    expect(operations).toMatchObject({ selected: publicRoutes().length + 1, tested: publicRoutes().length + 1 });
    expect(cases).toBeGreaterThanOrEqual(MIN_CASES);
    const { unsupported_regex, missing_deserializer } = warnings;
    expect({ unsupported_regex, missing_deserializer }).toEqual({ unsupported_regex: [], missing_deserializer: [] });
    expect((await callApi(project.apiKey, '/v1/me')).status).toBe(200);
  },
  TIMEOUT_MS,
);

/** Operations that call a provider: the cases create providers at addresses without a server. */
function operationsOfOthers(): string[] {
  return publicRoutes()
    .filter(({ errors }) => errors?.includes('PROVIDER_UNAVAILABLE') === true)
    .map(({ operationId }) => operationId);
}
