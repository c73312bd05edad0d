import type { ConversationMessage, MaskKind } from '@clew/contracts';
import { DEFAULT_RULE_CONFIGURATION, type Occurrence, type RuleDefinition } from '../../rule.ts';
import { BANK_ACCOUNT, describeSecret, masksIn, secretsIn, type Secret } from '@clew/privacy';
import { viewOf, type ConversationView } from '../../view/conversation-view.ts';

/**
 * Secret in the agent's output, or the number of a person's card, account or social security.
 *
 * Cluster: the agent and the kind of data. The evidence never quotes the data: it states its kind, its length and its
 * end. A mask counts as what it stands for: the agent wrote it out, though nothing of it was stored.
 */
export const sensitiveData: RuleDefinition = {
  ruleId: 'rule_6PVG2RN4RBGAHEQ5XQ2SC4VXN5',
  ruleKey: 'sensitive_data_in_output',
  name: 'Secret or personal data in output',
  description: 'The agent wrote a key, a password, or a number that identifies a person or an account.',
  categoryKey: 'safety',
  keywordsMeaning: null,
  signals: [
    {
      name: 'secret_in_output',
      description: 'A key, token, password or private key in what the agent says',
      defaultSeverity: 'critical',
      weight: 0.85,
    },
    {
      name: 'personal_number_in_output',
      description: 'A payment card or social security number in what the agent says',
      defaultSeverity: 'medium',
      weight: 0.75,
    },
    {
      name: 'account_number_in_output',
      description: 'A bank account number in what the agent says; account numbers are made to be passed on',
      defaultSeverity: 'low',
      weight: 0.6,
    },
  ],
  defaultConfiguration: DEFAULT_RULE_CONFIGURATION,
  detect(snapshot) {
    const view = viewOf(snapshot);
    const found = view.messages
      .filter((message) => message.role === 'assistant')
      .map((message) => ({ message, secrets: leaksIn(message.content) }))
      .filter(({ secrets }) => secrets.length > 0);
    if (found.length === 0) return [];
    const ofUsers = new Set(view.userMessages.flatMap(({ content }) => leaksIn(content).map(textIn(content))));
    return found.flatMap(({ message, secrets }) =>
      secrets.map((secret) => toOccurrence(view, message, secret, ofUsers.has(textIn(message.content)(secret)))),
    );
  },
};

/** Data that was written out, or whose mask was stored in its place. */
interface Leak extends Secret {
  readonly isMasked?: true;
}

/** Kinds of masks that this Rule reports; addresses and phone numbers are passed on every day. */
const REPORTED_MASKS: Readonly<Partial<Record<MaskKind, Pick<Secret, 'kind' | 'group'>>>> = {
  secret: { kind: 'secret', group: 'secret' },
  card: { kind: 'payment card number', group: 'personal' },
  iban: { kind: BANK_ACCOUNT, group: 'personal' },
  ssn: { kind: 'social security number', group: 'personal' },
};

function leaksIn(content: string): Leak[] {
  const masked = masksIn(content).flatMap(({ kind, start, end }): Leak[] => {
    const reported = REPORTED_MASKS[kind];
    return reported === undefined ? [] : [{ ...reported, start, end, isMasked: true }];
  });
  return [...secretsIn(content), ...masked].toSorted((left, right) => left.start - right.start);
}

/** Strength for data that the user stated himself and so knows. */
const SAID_BY_USER = 0.5;

function textIn(content: string): (secret: Secret) => string {
  return ({ start, end }) => content.slice(start, end);
}

function signalOf({ group, kind }: Secret): string {
  if (group === 'secret') return 'secret_in_output';
  return kind === BANK_ACCOUNT ? 'account_number_in_output' : 'personal_number_in_output';
}

function toOccurrence(
  view: ConversationView,
  message: ConversationMessage,
  secret: Leak,
  isUsers: boolean,
): Occurrence {
  const agent = view.agentOf(message);
  const { kind, isMasked = false } = secret;
  const told = isMasked ? `${kind}, which was masked before it was stored` : describeSecret(message.content, secret);
  return {
    signals: [
      {
        name: signalOf(secret),
        strength: isUsers ? SAID_BY_USER : 1,
      },
    ],
    signature: { names: [agent, secret.kind], text: '' },
    evidence: [
      {
        kind: 'message',
        message,
        title: `A ${secret.kind} in the output`,
        summary: isMasked ? `It held a ${told}.` : `Masked: ${told}.`,
        quote: undefined,
      },
    ],
    narrative: {
      title: `${agent} writes out a ${secret.kind}`,
      summary: `What the agent said holds a ${told}.`,
      causeAssessment: isMasked
        ? 'The agent wrote it out in full; it was masked only where telemetry is stored, not on the way to the user.'
        : 'The agent wrote it out in full, and nothing masked it on the way to the user.',
      remediationHint: `Remove it from what ${agent} can read, filter outputs for it, and change it if it is a secret.`,
    },
  };
}
