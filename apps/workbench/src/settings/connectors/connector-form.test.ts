import { describe, expect, it } from '@jest/globals';
import type { Api } from '@clew/sdk';
import { connectorChange, destinationText, draftOf, isIncomplete, NEW_DRAFT, newConnector } from './connector-form.ts';

const connector: Api.Connector = {
  ...{ id: 'con_1', projectId: 'prj_1', provider: 'github', name: 'Ours', baseUrl: null, enabled: true },
  ...{ isDefault: true, defaultDestination: { owner: 'acme', repo: 'bot' }, hasWebhookSecret: true },
  ...{ webhookPath: '/v1/webhooks/github/con_1', createdAt: 1, updatedAt: 1 },
};

describe('a new connector', () => {
  it('leaves out what was not typed', () => {
    expect(newConnector({ ...NEW_DRAFT, token: ' t ' })).toEqual({
      provider: 'github',
      enabled: true,
      credentials: { token: 't' },
    });
  });

  it('has the credentials and the destination of its tracker alone', () => {
    const draft = { ...NEW_DRAFT, provider: 'jira' as const, baseUrl: 'https://a.example', email: 'a@b', token: 't' };
    const destination = { owner: 'left over', projectKey: 'BOT' };
    expect(newConnector({ ...draft, destination })).toMatchObject({
      credentials: { email: 'a@b', token: 't' },
      defaultDestination: { projectKey: 'BOT' },
    });
  });

  it('is incomplete without what its tracker needs, and with half a destination', () => {
    expect(isIncomplete(NEW_DRAFT)).toBe(true);
    expect(isIncomplete({ ...NEW_DRAFT, token: 't' })).toBe(false);
    expect(isIncomplete({ ...NEW_DRAFT, token: 't', destination: { owner: 'acme' } })).toBe(true);
    expect(isIncomplete({ ...NEW_DRAFT, provider: 'jira', token: 't', email: 'a@b' })).toBe(true);
  });
});

describe('a change', () => {
  it('is nothing where nothing was changed: secrets stay', () => {
    expect(connectorChange(connector, draftOf(connector))).toEqual({});
  });

  it('has what was changed, and null for what was emptied', () => {
    const draft = { ...draftOf(connector), name: '', token: 'new', destination: {} };
    expect(connectorChange(connector, draft)).toEqual({
      name: null,
      credentials: { token: 'new' },
      defaultDestination: null,
    });
  });
});

it('writes a destination in a line', () => {
  expect(destinationText({ owner: 'acme', repo: 'bot' })).toBe('acme / bot');
  expect(destinationText({ projectId: 42 })).toBe('42');
  expect(destinationText(null)).toBe('');
});
