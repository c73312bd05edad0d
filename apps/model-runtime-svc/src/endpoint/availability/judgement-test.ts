/** Case of whether a claim follows from its evidence: the task of models in extraction, adjudication and synthesis. */
interface JudgementCase {
  evidence: string;
  claim: string;
  isSupported: boolean;
}

/** Test cases. Each false claim differs from its evidence in one way that careless models overlook. */
export const JUDGEMENT_CASES: readonly JudgementCase[] = [
  {
    evidence: 'User: I moved from Lyon to Porto last spring, please change my address.',
    claim: 'The user lives in Porto.',
    isSupported: true,
  },
  {
    evidence: 'User: I moved from Lyon to Porto last spring, please change my address.',
    claim: 'The user lives in Lyon.',
    isSupported: false,
  },
  {
    evidence: 'Assistant: I could not issue the refund, since the order is older than 30 days.',
    claim: 'The assistant issued the refund.',
    isSupported: false,
  },
  {
    evidence: 'Tool result: {"status":"error","message":"card declined"}. Assistant: Your payment went through.',
    claim: 'The assistant told the user something that the tool result contradicts.',
    isSupported: true,
  },
  {
    evidence: 'User: Never send me invoices by post, only by e-mail.',
    claim: 'The user wants invoices by post.',
    isSupported: false,
  },
  {
    evidence: 'User: The new plan costs 14 euros a month, which is 3 more than before.',
    claim: 'The plan cost 11 euros a month before.',
    isSupported: true,
  },
  {
    evidence: 'User: Could you look up flights for Maria? She flies on Tuesday.',
    claim: 'The user flies on Tuesday.',
    isSupported: false,
  },
  {
    evidence: 'User: No, that is wrong. I said the meeting is at nine, not at ten.',
    claim: 'The user corrected the assistant about the time of the meeting.',
    isSupported: true,
  },
];

/** Required share of right verdicts; the same guess for all cases gives one half. */
const PASS_SCORE = 7 / 8;

/** Builds one prompt for all cases, so that the test costs one call. */
export function judgementPrompt(): string {
  const cases = JUDGEMENT_CASES.map(
    ({ evidence, claim }, index) => `Case ${index + 1}\nEvidence: ${evidence}\nClaim: ${claim}`,
  );
  return [
    'For each case, decide whether the evidence alone makes the claim true.',
    `Answer with a JSON object {"verdicts": [...]} that holds ${JUDGEMENT_CASES.length} booleans, in the order of the cases.`,
    ...cases,
  ].join('\n\n');
}

/** Calculates the share of right verdicts; an answer of another shape scores 0. */
export function judgementScore(answer: unknown): number {
  const verdicts = (answer as { verdicts?: unknown } | null)?.verdicts;
  if (!Array.isArray(verdicts) || verdicts.length !== JUDGEMENT_CASES.length) return 0;
  const right = JUDGEMENT_CASES.filter(({ isSupported }, index) => verdicts[index] === isSupported);
  return right.length / JUDGEMENT_CASES.length;
}

export function passesJudgement(score: number): boolean {
  return score >= PASS_SCORE;
}
