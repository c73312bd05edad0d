import { describe, expect, it } from '@jest/globals';
import { ConnectorChange, NewConnector, WEBHOOK_SECRET_GRACE_MS } from '@clew/contracts';
import { createSecretBox, SecretUnreadableError } from '@clew/secrets';
import { openCredentials, openWebhookSecrets } from './connector-secrets.ts';
import { changedConnector, connectorEtag, connectorView, newConnector } from './connector.ts';

const secrets = createSecretBox({ authSecret: 'a secret of the tests, which is long enough' });
const PROJECT_ID = 'prj_01JZ6PVG2RN4RBGAHEQ5XQ2SC4';
const JIRA = {
  provider: 'jira',
  baseUrl: 'https://acme.atlassian.net',
  credentials: { email: 'a@b.example', token: 't' },
};

const make = (input: object) => newConnector(PROJECT_ID, NewConnector.parse(input), secrets, 1);
const change = (connector: ReturnType<typeof make>, given: object, nowMs = 2) =>
  changedConnector(connector, ConnectorChange.parse(given), secrets, nowMs);

describe('the secrets of a connector', () => {
  it('are bound to it, and to their field', () => {
    const connector = make({ ...JIRA, webhookSecret: 'hook' });
    expect(openCredentials(connector, secrets)).toEqual(JIRA.credentials);
    const { webhookSecret } = connector;
    const moved = { ...connector, credentials: webhookSecret! };
    for (const other of [make(JIRA), { ...connector, projectId: 'prj_other' }]) {
      expect(() => openCredentials({ ...connector, id: other.id, projectId: other.projectId }, secrets)).toThrow(
        SecretUnreadableError,
      );
    }
    expect(() => openCredentials(moved, secrets)).toThrow(SecretUnreadableError);
  });

  it('are two for an hour after a change of the webhook secret, and none after its removal', () => {
    const first = make({ ...JIRA, webhookSecret: 'one' });
    const second = change(first, { webhookSecret: 'two' }, 10);
    const until = 10 + WEBHOOK_SECRET_GRACE_MS;
    expect(openWebhookSecrets(second, secrets, until - 1)).toEqual(['two', 'one']);
    expect(openWebhookSecrets(second, secrets, until)).toEqual(['two']);
    expect(openWebhookSecrets(change(second, { name: 'x' }, 11), secrets, 12)).toEqual(['two', 'one']);
    expect(openWebhookSecrets(change(second, { webhookSecret: 'three' }, 11), secrets, 12)).toEqual(['three', 'two']);
    expect(openWebhookSecrets(change(second, { webhookSecret: null }, 11), secrets, 12)).toEqual([]);
  });

  it('are not in what callers see, but in the entity tag', () => {
    const connector = make({ ...JIRA, webhookSecret: 'hook' });
    expect(Object.keys(connectorView(connector))).not.toEqual(expect.arrayContaining(['credentials', 'webhookSecret']));
    const rotated = change(connector, { credentials: { ...JIRA.credentials, token: 'next' } }, 1);
    expect({ ...connectorView(rotated) }).toEqual(connectorView(connector));
    expect(connectorEtag(rotated)).not.toBe(connectorEtag(connector));
  });
});

describe('a change of the address', () => {
  it.each([
    ['https://acme.atlassian.net/x', true],
    ['https://other.atlassian.net', false],
    ['http://acme.atlassian.net', false],
    ['https://acme.atlassian.net:8443', false],
  ])('to %s keeps the credentials: %j', (baseUrl, keeps) => {
    const connector = make(JIRA);
    const changed = () => change(connector, { baseUrl });
    if (keeps) expect(changed().credentials).toBe(connector.credentials);
    else expect(changed).toThrow('body.credentials: are needed again for another host');
    const { credentials } = JIRA;
    expect(openCredentials(change(connector, { baseUrl, credentials }), secrets)).toEqual(credentials);
  });

  it('to none is that of the provider, which a site of Jira does not have', () => {
    expect(() => change(make(JIRA), { baseUrl: null })).toThrow('body.baseUrl: is the address of the site');
    const own = make({ provider: 'gitlab', baseUrl: 'https://gitlab.com', credentials: { token: 't' } });
    expect(change(own, { baseUrl: null }).baseUrl).toBeNull();
    const selfHosted = make({ provider: 'gitlab', baseUrl: 'https://git.example', credentials: { token: 't' } });
    expect(() => change(selfHosted, { baseUrl: null })).toThrow('body.credentials');
  });
});
