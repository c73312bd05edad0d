import type { Api } from '@clew/sdk';

export type Tracker = Api.Connector['provider'];
type NewConnector = Api.CreateConnectorData['body'];
type ConnectorChange = Api.UpdateConnectorData['body'];

interface DestinationField {
  readonly name: string;
  readonly label: string;
  readonly placeholder: string;
  readonly isOptional?: boolean;
}

interface TrackerFacts {
  readonly label: string;
  readonly address: string;
  readonly isAddressNeeded: boolean;
  readonly token: string;
  readonly destination: readonly DestinationField[];
}

/** Needs of each issue tracker. */
export const TRACKERS: Readonly<Record<Tracker, TrackerFacts>> = {
  github: {
    label: 'GitHub',
    address: 'https://github.example.com, of a server of your own',
    isAddressNeeded: false,
    token: 'A fine-grained token that may write issues of the repository.',
    destination: [
      { name: 'owner', label: 'Owner', placeholder: 'acme' },
      { name: 'repo', label: 'Repository', placeholder: 'assistant' },
    ],
  },
  gitlab: {
    label: 'GitLab',
    address: 'https://gitlab.example.com, of a server of your own',
    isAddressNeeded: false,
    token: 'A project token with the role Reporter and the scope api.',
    destination: [{ name: 'projectId', label: 'Project', placeholder: 'acme/assistant, or its number' }],
  },
  jira: {
    label: 'Jira',
    address: 'https://acme.atlassian.net',
    isAddressNeeded: true,
    token: 'An API token of the account with this address.',
    destination: [
      { name: 'projectKey', label: 'Project key', placeholder: 'BOT' },
      { name: 'issueType', label: 'Issue type', placeholder: 'Bug', isOptional: true },
    ],
  },
  linear: {
    label: 'Linear',
    address: 'Linear’s own',
    isAddressNeeded: false,
    token: 'A personal API key.',
    destination: [{ name: 'teamId', label: 'Team id', placeholder: 'The id, not its short name' }],
  },
};

export const TRACKER_IDS = Object.keys(TRACKERS) as Tracker[];

export function trackerNamed(name: string): Tracker {
  return TRACKER_IDS.find((id) => id === name) ?? 'github';
}

/** Text that a person has typed; an empty one is nothing. */
export interface ConnectorDraft {
  readonly provider: Tracker;
  readonly name: string;
  readonly baseUrl: string;
  readonly email: string;
  readonly token: string;
  readonly webhookSecret: string;
  readonly destination: Readonly<Record<string, string>>;
  readonly isDefault: boolean;
  readonly enabled: boolean;
}

export const NEW_DRAFT: ConnectorDraft = {
  ...{ provider: 'github', name: '', baseUrl: '', email: '', token: '', webhookSecret: '', destination: {} },
  ...{ isDefault: false, enabled: true },
};

/** Draft of a connector that is there; its secrets are not known, and stay where nothing is typed. */
export function draftOf(connector: Api.Connector): ConnectorDraft {
  const { provider, name, baseUrl, defaultDestination, isDefault, enabled } = connector;
  const destination = Object.entries(defaultDestination ?? {}).map(([key, value]) => [key, textOf(value)]);
  return {
    ...NEW_DRAFT,
    ...{ provider, name: name ?? '', baseUrl: baseUrl ?? '', isDefault, enabled },
    destination: Object.fromEntries(destination),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Whether something is missing without which a new connector cannot be. */
export function isIncomplete({ provider, baseUrl, email, token, destination }: ConnectorDraft): boolean {
  if (token.trim() === '' || (TRACKERS[provider].isAddressNeeded && baseUrl.trim() === '')) return true;
  if (provider === 'jira' && email.trim() === '') return true;
  const given = TRACKERS[provider].destination.filter(({ isOptional }) => isOptional !== true);
  const filled = given.filter(({ name }) => (destination[name] ?? '').trim() !== '');
  return filled.length > 0 && filled.length < given.length;
}

/** Body that makes a connector. */
export function newConnector(draft: ConnectorDraft): NewConnector {
  const { provider, name, baseUrl, webhookSecret, isDefault, enabled } = draft;
  const destination = destinationOf(draft);
  return {
    ...{ provider, enabled, credentials: credentialsOf(draft) },
    ...(baseUrl.trim() === '' ? {} : { baseUrl: baseUrl.trim() }),
    ...(name.trim() === '' ? {} : { name: name.trim() }),
    ...(destination === null ? {} : { defaultDestination: destination }),
    ...(webhookSecret === '' ? {} : { webhookSecret }),
    // The first connector of a tracker becomes its default by itself.
    ...(isDefault ? { isDefault } : {}),
    // The draft has the members of its provider, which the form and `TRACKERS` hold together.
  } as NewConnector;
}

/** Body that changes a connector: what differs from it, and secrets that were typed. */
export function connectorChange(connector: Api.Connector, draft: ConnectorDraft): ConnectorChange {
  const before = draftOf(connector);
  const { name, baseUrl, token, webhookSecret, isDefault, enabled } = draft;
  const hasMoved = JSON.stringify(destinationOf(before)) !== JSON.stringify(destinationOf(draft));
  return {
    ...(name === before.name ? {} : { name: name.trim() === '' ? null : name.trim() }),
    ...(baseUrl === before.baseUrl ? {} : { baseUrl: baseUrl.trim() === '' ? null : baseUrl.trim() }),
    ...(token === '' ? {} : { credentials: credentialsOf(draft) }),
    ...(webhookSecret === '' ? {} : { webhookSecret }),
    ...(isDefault === before.isDefault ? {} : { isDefault }),
    ...(enabled === before.enabled ? {} : { enabled }),
    ...(hasMoved ? { defaultDestination: destinationOf(draft) as ConnectorChange['defaultDestination'] } : {}),
  };
}

function credentialsOf({ provider, email, token }: ConnectorDraft): { token: string; email?: string } {
  return provider === 'jira' ? { email: email.trim(), token: token.trim() } : { token: token.trim() };
}

function destinationOf({ provider, destination }: ConnectorDraft): Record<string, string> | null {
  const entries = TRACKERS[provider].destination
    .map(({ name }) => [name, (destination[name] ?? '').trim()] as const)
    .filter(([, value]) => value !== '');
  return entries.length === 0 ? null : Object.fromEntries(entries);
}

/** Destination in a line: `acme / assistant`. */
export function destinationText(destination: Api.Connector['defaultDestination']): string {
  const values = Object.values(destination ?? {}).map(textOf);
  return values.filter((value) => value !== '').join(' / ');
}
