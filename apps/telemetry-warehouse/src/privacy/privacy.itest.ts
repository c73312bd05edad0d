import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  DEFAULT_MASKING,
  listPrivateProjects,
  privacyChanged,
  type Conversation,
  type ConversationSnapshot,
  type ProjectPrivacy,
  type Score,
  type TelemetrySettings,
} from '@clew/contracts';
import { createProtector } from '@clew/privacy';
import { explainUsesIndex, useTestEnvironment } from '@clew/testing';
import { emittedMessages } from '@clew/testing-host';
import { keyWith } from '@clew/testing/identities';
import { nativeDb } from '@clew/persistence';
import { useTestDatabase } from '../test-support/database.ts';
import { startTestService, type TestService } from '../test-support/service.ts';
import { chatSpan, groupsMessage, OTHER_PROJECT_ID, PROJECT_ID, spansMessage } from '../test-support/spans.ts';
import { SETTINGS_COLLECTION } from './privacy.store.ts';

const environment = useTestEnvironment();
const database = useTestDatabase(environment);
let service: TestService;

beforeAll(async () => {
  service = await startTestService(environment, database.current);
});
afterAll(() => service.stop());

const principal = keyWith('workspace:read', 'workspace:write', 'telemetry:write');
const patch = (body: unknown, projectId = PROJECT_ID) =>
  service.call<{ settings: TelemetrySettings }>({
    method: 'PATCH',
    path: '/telemetry/settings',
    body,
    principal,
    projectId,
  });

async function privateProjects(query: { after?: string; projectId?: string } = {}): Promise<ProjectPrivacy[]> {
  return (await service.clientOf('telemetry-ingest').call(listPrivateProjects, { params: {}, query })).projects;
}

describe('privacy settings', () => {
  it('are off by default, and a change keeps what it does not name', async () => {
    expect(await privateProjects()).toEqual([]);
    const first = await patch({ masking: { enabled: true, builtIn: { phones: false }, allow: ['a@b.com'] } });
    expect(first.body.settings.masking).toEqual({
      ...DEFAULT_MASKING,
      ...{ enabled: true, allow: ['a@b.com'], builtIn: { ...DEFAULT_MASKING.builtIn, phones: false } },
    });
    const patterns = [{ name: 'order number', pattern: '#W\\d{7}' }];
    const second = await patch({ masking: { patterns, builtIn: { emails: false } } });
    expect(second.body.settings.masking).toMatchObject({
      ...{ enabled: true, allow: ['a@b.com'], patterns },
      builtIn: { phones: false, emails: false, secrets: true },
    });
    expect(second.body.settings).not.toHaveProperty('salt');
  });

  it('reach the processes that take content, each change announced, with a secret that stays', async () => {
    await patch({ masking: { enabled: true } });
    await patch({ contentCapture: 'structure' }, OTHER_PROJECT_ID);
    const [first, second] = await privateProjects();
    expect([first?.projectId, second?.projectId].toSorted()).toEqual([PROJECT_ID, OTHER_PROJECT_ID].toSorted());
    expect(await privateProjects({ after: first?.projectId ?? '' })).toEqual([second]);
    const [known] = await privateProjects({ projectId: PROJECT_ID });
    expect(known?.privacy.salt).toMatch(/^[\w-]{43}$/);
    await patch({ masking: { enabled: false } });
    expect(await privateProjects({ projectId: PROJECT_ID })).toEqual([]);
    await patch({ masking: { enabled: true } });
    expect(await privateProjects({ projectId: PROJECT_ID })).toEqual([known]);
    await patch({ rawPayloadRetentionDays: 3 });
    expect(await emittedMessages(database.current, privacyChanged, PROJECT_ID)).toHaveLength(3);
  });

  it('that name a pattern which cannot be used, or too much, are refused and change nothing', async () => {
    const refused = async (masking: unknown, path: string) => {
      const { status, body } = await patch({ masking });
      expect({ status, body }).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED', details: [{ path }] } });
    };
    const pattern = (given: object) => ({ patterns: [{ name: 'x', pattern: 'x', ...given }] });
    await refused(pattern({ pattern: '(' }), 'body.masking.patterns.0.pattern');
    await refused(pattern({ pattern: 'x*' }), 'body.masking.patterns.0.pattern');
    await refused(pattern({ pattern: '(?=x)' }), 'body.masking.patterns.0.pattern');
    await refused(pattern({ pattern: 'x'.repeat(301) }), 'body.masking.patterns.0.pattern');
    await refused(pattern({ name: '[' }), 'body.masking.patterns.0.name');
    await refused(pattern({ replacement: '-' }), 'body.masking.patterns.0.replacement');
    await refused({ patterns: Array(21).fill({ name: 'x', pattern: 'x' }) }, 'body.masking.patterns');
    await refused({ allow: Array(201).fill('x') }, 'body.masking.allow');
    await refused({ builtIn: { names: true } }, 'body.masking.builtIn');
    await refused({}, 'body.masking');
    expect(await privateProjects()).toEqual([]);
  });

  it('are found by an index', async () => {
    const collection = nativeDb(database.current.connection).collection(SETTINGS_COLLECTION);
    await explainUsesIndex(
      collection
        .find({ private: true, _id: { $gt: 'a' as never } })
        .sort({ _id: 1 })
        .limit(100),
    );
  });
});

describe('a score', () => {
  it('is masked before it is stored, and has no comment where content is not captured', async () => {
    await service.store(spansMessage({ spans: [chatSpan({ trace: 1, span: 1, conversation: 'c', said: 'hi' })] }));
    const give = async () => {
      const body = { name: 'csat', value: 'of a@b.com', source: 'user', comment: 'Write to canary@mail.com' };
      const path = '/conversations/c/scores';
      return (await service.call<Score>({ method: 'POST', path, body, principal })).body;
    };
    await patch({ masking: { enabled: true } });
    expect(await give()).toMatchObject({ value: 'of [masked email]', comment: 'Write to [masked email]' });
    await patch({ contentCapture: 'structure' });
    expect(await give()).not.toHaveProperty('comment');
    expect(JSON.stringify(await service.stores.scores.list(PROJECT_ID, 'c'))).not.toMatch(/canary|a@b\.com/);
  });
});

describe('a conversation of which only the structure was stored', () => {
  it('says so, has the lengths of its messages and no words, and is the same when it is sent again', async () => {
    const { group } = createProtector({ masking: DEFAULT_MASKING, contentCapture: 'structure', salt: 's' });
    const span = chatSpan({ trace: 1, span: 1, conversation: 'c', said: 'Hello canary' });
    const send = async () => {
      await service.store(groupsMessage([group({ resource: {}, scopeName: 'test', spans: [span], logs: [] })]));
      await service.settleAll();
    };
    await send();
    const read = async () => (await service.call<Conversation>({ path: '/conversations/c' })).body;
    const conversation = await read();
    expect(conversation).toMatchObject({ contentCapture: 'structure', preview: '' });
    expect(conversation.messages[0]).toMatchObject({ role: 'user', content: '', textExpired: true, length: 12 });
    const { body } = await service.call<{ conversations: Conversation[] }>({ path: '/conversations' });
    expect(body.conversations[0]).toMatchObject({ id: 'c', contentCapture: 'structure' });
    const snapshot = (await service.snapshotOf('c')) as ConversationSnapshot;
    expect(JSON.stringify(snapshot)).not.toMatch(/canary|not captured/);
    await send();
    expect(await read()).toEqual(conversation);
  });

  it('is whole again from the time at which everything is stored', async () => {
    const span = chatSpan({ trace: 2, span: 2, conversation: 'd', said: 'Hello' });
    await service.store(spansMessage({ spans: [span] }));
    await service.settleAll();
    const { body } = await service.call<Conversation>({ path: '/conversations/d' });
    expect(body).toMatchObject({ contentCapture: 'full', messages: [{ content: 'Hello' }] });
  });
});
