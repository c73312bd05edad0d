import type { FindingFacts } from '../body/issue-body.ts';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN_ID = '00f067aa0ba902b7';

/** Facts of a Finding, with changes. */
export function findingFacts(changes: Partial<FindingFacts> = {}): FindingFacts {
  const location = {
    traceId: TRACE_ID,
    spanId: SPAN_ID,
    stepIndex: 7,
    quotes: [{ quote: 'Your order is cancelled.' }],
  };
  return {
    id: 'fnd_01JZ6PVG2RN4RBGAHEQ5XQ2SC4',
    title: 'The agent says that it cancelled an order, and did not',
    summary: 'The agent told the user that the order was cancelled. No call of cancel_order succeeded.',
    causeAssessment: 'The tool answered with an error, which the agent did not mention.',
    remediationHint: 'Have the agent report errors of cancel_order to the user.',
    severity: 'high',
    occurrenceCount: 12,
    diagnosticAnchor: { ...location, conversationId: 'conv_01JZ6PVG2RN4RBGAHEQ5XQ2SC4' },
    evidence: [
      {
        ...{ ref: 'evidence-1', kind: 'message', title: 'The claim', summary: 'The agent says it is done.', url: null },
        location,
      },
    ],
    evidenceWindow: { startMs: 1_764_000_000_000, endMs: 1_764_500_000_000, conversationIds: ['conv_1'] },
    metadata: {
      categoryKey: 'claims',
      diagnosticRule: { ruleId: 'rule_6PVG2RN4RBGAHEQ5XQ2SC4VXN5', ruleKey: 'unsupported_action_claim' },
    },
    url: 'https://clew.example/projects/proj_1/findings/fnd_01JZ6PVG2RN4RBGAHEQ5XQ2SC4',
    ...changes,
  };
}
