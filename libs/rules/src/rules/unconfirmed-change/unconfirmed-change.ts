import type { ConversationMessage } from '@clew/contracts';
import { isChange, agreementBefore } from '../../judgement/changes.ts';
import { DEFAULT_RULE_CONFIGURATION, type Occurrence, type RuleDefinition } from '../../rule.ts';
import { viewOf, type ConversationView, type ViewedCall } from '../../view/conversation-view.ts';
import { callEvidence, messageEvidence } from '../support/evidence.ts';
import { requirementFor, requirementsIn, type Requirement } from './requirement.ts';

/**
 * Change without the user's agreement in the message before it.
 *
 * Cluster: the agent and the tool, because that step must ask first.
 */
export const unconfirmedChange: RuleDefinition = {
  ruleId: 'rule_3QNHT2HB0NDXQ5QDYHH74SDKDS',
  ruleKey: 'unconfirmed_change',
  name: 'Unconfirmed change',
  description: 'The agent changed something, and the user had not agreed to it in the words before.',
  categoryKey: 'instruction_following',
  keywordsMeaning: null,
  signals: [
    {
      name: 'required_agreement_skipped',
      description: "The prompt asks for the user's agreement before a change, and there was none",
      defaultSeverity: 'medium',
      weight: 0.7,
    },
    {
      name: 'changed_without_agreement',
      description: 'A change that the last words of the user neither agree to nor ask for',
      defaultSeverity: 'low',
      weight: 0.4,
    },
    {
      name: 'user_had_declined',
      description: 'The last words of the user refuse, or ask to wait',
      defaultSeverity: 'medium',
      weight: 0.7,
    },
  ],
  defaultConfiguration: DEFAULT_RULE_CONFIGURATION,
  detect(snapshot) {
    const view = viewOf(snapshot);
    const requirements = requirementsIn(view);
    return view.calls.filter(isChange).flatMap((call) => {
      const agreement = agreementBefore(view, call);
      if (!('answer' in agreement)) return [];
      return [
        toOccurrence(view, call, agreement.answer, agreement.kind === 'declined', requirementFor(requirements, call)),
      ];
    });
  },
};

function toOccurrence(
  view: ConversationView,
  call: ViewedCall,
  answer: ConversationMessage,
  isDeclined: boolean,
  requirement: Requirement | undefined,
): Occurrence {
  const agent = view.agentOf(call.callMessage);
  const name = requirement === undefined ? 'changed_without_agreement' : 'required_agreement_skipped';
  return {
    signals: [{ name, strength: 1 }, ...(isDeclined ? [{ name: 'user_had_declined', strength: 1 }] : [])],
    signature: { names: [agent, call.toolName], text: '' },
    evidence: [
      callEvidence(call, `${call.toolName}, without an agreement`),
      messageEvidence(answer, 'The last words of the user', 'They do not agree to the change.'),
      ...(requirement === undefined
        ? []
        : [messageEvidence(requirement.message, 'The instruction', 'The prompt asks for it.', requirement.sentence)]),
    ],
    narrative: {
      title: `${agent} calls ${call.toolName} before the user has agreed`,
      summary: `${call.toolName} changed something, and the words of the user before it do not agree to that.${requirement === undefined ? '' : ' The prompt asks for an agreement first.'}`,
      causeAssessment:
        'Between what the agent proposed and the call, no message of the user agrees to what was changed.',
      remediationHint: `Let ${agent} say what ${call.toolName} will change and wait for a yes, or let the tool take the agreement as an argument that names it.`,
    },
  };
}
