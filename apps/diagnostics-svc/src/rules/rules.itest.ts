import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { analysisRequested, ruleModelsNamed, type Rule } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { BUILT_IN_RULES } from '@clew/rules';
import { useCleanup, useTestEnvironment } from '@clew/testing';
import { emittedMessages } from '@clew/testing-host';
import { CONVERSATION_REVIEW } from '../reviewer/index.ts';
import { startTestService, type TestService } from '../test-support/service.ts';

const environment = useTestEnvironment();
const cleanup = useCleanup();
let service: TestService;

beforeAll(async () => {
  service = await startTestService(environment);
});

afterAll(() => service.stop());

const LISTED = [...BUILT_IN_RULES, CONVERSATION_REVIEW];
const [FIRST, SECOND] = BUILT_IN_RULES as [(typeof BUILT_IN_RULES)[number], (typeof BUILT_IN_RULES)[number]];
const SIGNAL = FIRST.signals[0]!;

interface Page {
  rules: Rule[];
  nextCursor: string | null;
}

function list(projectId: string, query = '') {
  return service.call<Page & { code?: string }>({ projectId, path: `/rules${query}` });
}

function read(projectId: string, ruleId: string) {
  return service.call<Rule>({ projectId, path: `/rules/${ruleId}` });
}

function patch(projectId: string, body: unknown, ruleId = FIRST.ruleId) {
  return service.call<Rule>({ method: 'PATCH', projectId, path: `/rules/${ruleId}`, body });
}

describe('the Rules of a project', () => {
  it('are all built-in ones, by key, enabled and with their defaults where nothing was changed', async () => {
    const { status, body } = await list(newId('prj'));
    expect({ status, nextCursor: body.nextCursor }).toEqual({ status: 200, nextCursor: null });
    expect(body.rules.map(({ ruleId }) => ruleId).toSorted()).toEqual(LISTED.map(({ ruleId }) => ruleId).toSorted());
    const keys = body.rules.map(({ ruleKey }) => ruleKey);
    expect(keys).toEqual(keys.toSorted());
    expect(body.rules.find(({ ruleId }) => ruleId === FIRST.ruleId)).toEqual({
      ...{ ruleId: FIRST.ruleId, ruleKey: FIRST.ruleKey, name: FIRST.name, description: FIRST.description },
      ...{ categoryKey: FIRST.categoryKey, keywordsMeaning: FIRST.keywordsMeaning, signals: FIRST.signals },
      ...{ enabled: true, configuration: FIRST.defaultConfiguration, revision: 1, updatedAt: null },
    });
  });

  it('come in pages, each once', async () => {
    const projectId = newId('prj');
    const keys: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body }: { body: Page } = await list(projectId, `?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
      keys.push(...body.rules.map(({ ruleKey }) => ruleKey));
      cursor = body.nextCursor;
    }
    expect(keys).toEqual(LISTED.map(({ ruleKey }) => ruleKey).toSorted());
  });

  it.each(['?limit=0', '?limit=501', '?cursor=abc', '?enabled=true'])(
    'refuse %s with INVALID_FILTER',
    async (query) => {
      expect(await list(newId('prj'), query)).toMatchObject({ status: 400, body: { code: 'INVALID_FILTER' } });
    },
  );

  it('are read as they are listed, with a description and a weight of every signal', async () => {
    const projectId = newId('prj');
    const { body } = await list(projectId);
    for (const rule of body.rules) {
      expect(await read(projectId, rule.ruleId)).toMatchObject({ status: 200, body: rule });
      expect(rule.signals.length).toBeGreaterThan(0);
      for (const { description, weight } of rule.signals) {
        expect(description.length).toBeGreaterThan(10);
        expect(weight).toBeGreaterThan(0);
      }
    }
  });

  it.each([`rule_${'0'.repeat(26)}`, 'rule_x', '1', 'a%20b', '%00', '..%2f', FIRST.ruleKey, '__proto__'])(
    'do not have %s: 404 DIAGNOSTIC_RULE_NOT_FOUND',
    async (ruleId) => {
      const missing = { status: 404, body: { code: 'DIAGNOSTIC_RULE_NOT_FOUND' } };
      expect(await read(newId('prj'), ruleId)).toMatchObject(missing);
      expect(await patch(newId('prj'), { enabled: false }, ruleId)).toMatchObject(missing);
    },
  );
});

describe('a change of a Rule', () => {
  it('switches it off and on, for one project alone, and leaves its configuration as it is', async () => {
    const [projectId, other] = [newId('prj'), newId('prj')];
    expect(await patch(projectId, { enabled: false })).toMatchObject({
      status: 200,
      body: { enabled: false, revision: 1 },
    });
    expect((await read(projectId, FIRST.ruleId)).body.enabled).toBe(false);
    expect((await read(other, FIRST.ruleId)).body.enabled).toBe(true);
    expect((await read(projectId, SECOND.ruleId)).body.enabled).toBe(true);
    expect(await patch(projectId, { enabled: true })).toMatchObject({ body: { enabled: true, revision: 1 } });
  });

  it('keeps what it leaves out, merges overrides by signal, and gives the configuration a revision', async () => {
    const projectId = newId('prj');
    await patch(projectId, {
      configuration: { keywords: ['oops'], signalOverrides: { [SIGNAL.name]: { enabled: false } } },
    });
    const changed = await patch(projectId, {
      configuration: { minSignalScore: 0.75, adjudicationModel: 'openai/gpt-4o' },
    });
    expect(changed).toMatchObject({ status: 200, body: { revision: 3, updatedAt: service.clock.now() } });
    expect(changed.body.configuration).toEqual({
      ...FIRST.defaultConfiguration,
      ...{ keywords: ['oops'], minSignalScore: 0.75, adjudicationModel: 'openai/gpt-4o' },
      signalOverrides: { [SIGNAL.name]: { enabled: false, severity: SIGNAL.defaultSeverity } },
    });
    const removed = await patch(projectId, {
      configuration: { adjudicationModel: null, signalOverrides: { [SIGNAL.name]: null } },
    });
    expect(removed.body.configuration).toMatchObject({
      keywords: ['oops'],
      adjudicationModel: null,
      signalOverrides: {},
    });
    expect((await read(projectId, FIRST.ruleId)).body).toEqual(removed.body);
  });

  it('makes no revision where the content is the same', async () => {
    const projectId = newId('prj');
    const change = { configuration: { keywords: ['oops'], signalOverrides: { [SIGNAL.name]: { severity: 'info' } } } };
    expect((await patch(projectId, change)).body.revision).toBe(2);
    expect((await patch(projectId, change)).body.revision).toBe(2);
    const { minSignalScore } = FIRST.defaultConfiguration;
    expect((await patch(projectId, { configuration: { minSignalScore } })).body.revision).toBe(2);
  });

  it('loses nothing of many changes at once', async () => {
    const projectId = newId('prj');
    const changes = FIRST.signals.map(({ name }) => ({
      configuration: { signalOverrides: { [name]: { enabled: false } } },
    }));
    const answers = await Promise.all([...changes, { enabled: false }].map((change) => patch(projectId, change)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const { body } = await read(projectId, FIRST.ruleId);
    expect(Object.keys(body.configuration.signalOverrides)).toHaveLength(FIRST.signals.length);
    expect(body).toMatchObject({ enabled: false, revision: FIRST.signals.length + 1 });
  });

  it.each([
    ['both at once', { enabled: false, configuration: { minSignalScore: 0.1 } }, 'body'],
    ['neither', {}, 'body'],
    ['no body', undefined, 'body'],
    ['an unknown field', { enabled: false, ruleKey: 'x' }, 'body'],
    ['a text for a boolean', { enabled: 'false' }, 'body.enabled'],
    ['null for a boolean', { enabled: null }, 'body.enabled'],
    ['a configuration that is none', { configuration: [] }, 'body.configuration'],
    ['an empty configuration', { configuration: {} }, 'body.configuration'],
    ['an unknown field of the configuration', { configuration: { maxScore: 1 } }, 'body.configuration'],
    ['a score above 1', { configuration: { minSignalScore: 1.01 } }, 'body.configuration.minSignalScore'],
    [
      'a score below 0',
      { configuration: { minDiagnosticConfidence: -0.1 } },
      'body.configuration.minDiagnosticConfidence',
    ],
    ['a text for a score', { configuration: { minSignalScore: '0.5' } }, 'body.configuration.minSignalScore'],
    ['null for a score', { configuration: { minSignalScore: null } }, 'body.configuration.minSignalScore'],
    ['keywords in a text', { configuration: { keywords: 'oops' } }, 'body.configuration.keywords'],
    ['an empty keyword', { configuration: { keywords: [''] } }, 'body.configuration.keywords.0'],
    ['a keyword of two lines', { configuration: { keywords: ['a', 'b\nc'] } }, 'body.configuration.keywords.1'],
    [
      'a keyword of 201 characters',
      { configuration: { keywords: ['x'.repeat(201)] } },
      'body.configuration.keywords.0',
    ],
    ['201 keywords', { configuration: { keywords: Array(201).fill('x') } }, 'body.configuration.keywords'],
    ['an unknown mode', { configuration: { adjudicationMode: 'manual' } }, 'body.configuration.adjudicationMode'],
    [
      'a model without a provider',
      { configuration: { adjudicationModel: 'gpt' } },
      'body.configuration.adjudicationModel',
    ],
    [
      'an unknown signal',
      { configuration: { signalOverrides: { nothing_at_all: { enabled: true, severity: 'low' } } } },
      'body.configuration.signalOverrides.nothing_at_all',
    ],
    [
      'the removal of an unknown signal',
      { configuration: { signalOverrides: { toString: null } } },
      'body.configuration.signalOverrides.toString',
    ],
    [
      'an unknown severity',
      { configuration: { signalOverrides: { [SIGNAL.name]: { enabled: true, severity: 'bad' } } } },
      `body.configuration.signalOverrides.${SIGNAL.name}.severity`,
    ],
    [
      'an unknown field of an override',
      { configuration: { signalOverrides: { [SIGNAL.name]: { enabled: true, weight: 1 } } } },
      `body.configuration.signalOverrides.${SIGNAL.name}`,
    ],
    [
      'an override without a field',
      { configuration: { signalOverrides: { [SIGNAL.name]: {} } } },
      `body.configuration.signalOverrides.${SIGNAL.name}`,
    ],
  ])('with %s is 400, with its path, and changes nothing', async (_name, body, path) => {
    const projectId = newId('prj');
    expect(await patch(projectId, body)).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', details: expect.arrayContaining([{ path, message: expect.any(String) }]) },
    });
    expect((await read(projectId, FIRST.ruleId)).body).toMatchObject({
      ...{ enabled: true, configuration: FIRST.defaultConfiguration, revision: 1, updatedAt: null },
    });
  });
});

describe('runs', () => {
  async function requestRuns(projectId: string) {
    service.warehouse.conversations.set(`${projectId}:a chat`, [{ atMs: 1, traceId: '1'.repeat(32) }]);
    const body = { conversationId: 'a chat', lastActivityAt: 1 };
    const { body: answered } = await service.call({ method: 'POST', projectId, path: '/analysis-runs', body });
    return answered;
  }

  async function commandsOf(projectId: string) {
    const commands = await emittedMessages(service.database, analysisRequested, projectId);
    return commands.map(({ data }) => data.rules);
  }

  it('leave out a Rule that is off, and have it again once it is on', async () => {
    const projectId = newId('prj');
    const left = BUILT_IN_RULES.length - 1;
    await patch(projectId, { enabled: false });
    expect(await requestRuns(projectId)).toEqual({ enabledRules: left, runsCreated: left });
    expect((await commandsOf(projectId)).flat().map(({ ruleId }) => ruleId)).not.toContain(FIRST.ruleId);
    await patch(projectId, { enabled: true });
    expect(await requestRuns(projectId)).toEqual({ enabledRules: left + 1, runsCreated: 1 });
  });

  it('carry the configuration that holds, and come again once it is another one', async () => {
    const projectId = newId('prj');
    await requestRuns(projectId);
    const { body } = await patch(projectId, { configuration: { minSignalScore: 0.125 } });
    expect(await requestRuns(projectId)).toEqual({ enabledRules: BUILT_IN_RULES.length, runsCreated: 1 });
    expect(await requestRuns(projectId)).toMatchObject({ runsCreated: 0 });
    const [first, second] = await commandsOf(projectId);
    expect(first?.find(({ ruleId }) => ruleId === FIRST.ruleId)).toEqual({
      ...{ ruleId: FIRST.ruleId, configuration: FIRST.defaultConfiguration },
    });
    expect(second).toEqual([{ ruleId: FIRST.ruleId, revision: '2', configuration: body.configuration }]);
  });
});

describe('where the rule service is not mounted', () => {
  it('every route of Rules answers 503 DIAGNOSTIC_RULES_UNAVAILABLE', async () => {
    const without = await startTestService(environment, { mountRules: false });
    cleanup(() => without.stop());
    const calls: Parameters<TestService['call']>[0][] = [
      { path: '/rules' },
      { path: `/rules/${FIRST.ruleId}` },
      { path: '/rules/unknown' },
      { method: 'PATCH', path: `/rules/${FIRST.ruleId}`, body: { enabled: false } },
    ];
    for (const call of calls) {
      expect(await without.call(call)).toMatchObject({ status: 503, body: { code: 'DIAGNOSTIC_RULES_UNAVAILABLE' } });
    }
  });
});

describe('the model that a Rule asks for adjudication', () => {
  it('is told when it becomes another one, or none, so that its provider is not removed under it', async () => {
    const projectId = newId('prj');
    for (const adjudicationModel of ['acme/large', 'acme/large', 'acme/small', null]) {
      await patch(projectId, { configuration: { adjudicationModel } });
    }
    await patch(projectId, { configuration: { minSignalScore: 0.7 } });
    const told = await emittedMessages(service.database, ruleModelsNamed, projectId);
    expect(told.map(({ data }) => data)).toEqual([
      { ruleId: FIRST.ruleId, models: ['acme/large'], revision: 2 },
      { ruleId: FIRST.ruleId, models: ['acme/small'], revision: 3 },
      { ruleId: FIRST.ruleId, models: [], revision: 4 },
    ]);
  });
});
