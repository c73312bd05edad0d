import type { ConversationSnapshot, Detection, ExpectationForm, RuleConfiguration, Severity } from '@clew/contracts';
import { sha256Hex } from '@clew/kernel';
import { agentOf } from '../conversation/turns.ts';
import { evaluateRule, MAX_DETECTIONS } from '../evaluate-rule.ts';
import { clusterFingerprint, type ClusterSignature } from '../fingerprint/cluster-fingerprint.ts';
import {
  DEFAULT_RULE_CONFIGURATION,
  type EvidenceDraft,
  type Occurrence,
  type RuleDefinition,
  type SignalDefinition,
} from '../rule.ts';
import { placedQuoteOf, shorten } from '../text/quote.ts';
import { evaluateExpectation } from './evaluate-expectation.ts';
import { patternProblem } from '@clew/privacy';
import { readConversation, type ConversationReading } from './reading.ts';
import type { EvaluatedExpectation, ExpectationViolation } from './violation.ts';

interface FormSignal {
  readonly name: string;
  readonly description: string;
  /** Confidence in a clear case: interpreted wording can be misread, counts cannot. */
  readonly weight: number;
  readonly hint: string;
}

/** One signal per form, so that a project can switch a form off. */
const SIGNALS: Readonly<Record<ExpectationForm, FormSignal>> = {
  confirm_before: {
    name: 'confirmation_missing',
    description: 'A call that needs the agreement of the user was made without it',
    weight: 0.8,
    hint: 'Let the tool refuse without a token that only a confirmed proposal gives, or ask in code before it runs.',
  },
  requires_first: {
    name: 'first_call_missing',
    description: 'A call was made before the call that has to succeed first',
    weight: 0.9,
    hint: 'Offer the tool only after the first one has succeeded, or let it refuse and say what is missing.',
  },
  never_call: {
    name: 'forbidden_call',
    description: 'A tool was called that is never to be called',
    weight: 0.95,
    hint: 'Take the tool away from the agent.',
  },
  max_calls: {
    name: 'too_many_calls',
    description: 'A tool was called more often than allowed',
    weight: 0.9,
    hint: 'Count the calls where the tool runs, and refuse what goes beyond.',
  },
  one_call_at_a_time: {
    name: 'calls_in_one_step',
    description: 'One step called several tools',
    weight: 0.9,
    hint: 'Switch parallel tool calls off in the request to the model.',
  },
  no_words_with_calls: {
    name: 'words_beside_call',
    description: 'A step that called a tool also said something',
    weight: 0.85,
    hint: 'Drop the words of a step that calls a tool before they reach the user, or allow them in the prompt.',
  },
  grounded_arguments: {
    name: 'ungrounded_argument',
    description: 'A call had a value that no user, tool or prompt had said before',
    weight: 0.75,
    hint: 'Let the tool check the value, and say in its description where the value comes from.',
  },
  answer_matches: {
    name: 'answer_mismatch',
    description: 'An answer was not as it has to be',
    weight: 0.85,
    hint: 'Check the answer where it leaves the agent, or ask the model for a fixed format.',
  },
  answer_never_matches: {
    name: 'forbidden_words',
    description: 'A message said what is never to be said',
    weight: 0.9,
    hint: 'Check the answer where it leaves the agent, and say in the prompt what to say instead.',
  },
  ends_with: {
    name: 'wrong_ending',
    description: 'The conversation did not end as it has to',
    weight: 0.75,
    hint: 'Add the end in code when the agent has finished.',
  },
};

const signalsBySeverity = new Map<Severity, readonly SignalDefinition[]>();

/**
 * Instruction that an agent was given and did not follow. Cluster: the Expectation itself, so that each Expectation has
 * one Finding, whichever tool, agent or conversation broke it.
 *
 * Without Expectations it finds nothing: `detectBrokenExpectations` runs it with those of a project.
 */
export const expectationBroken: RuleDefinition = {
  ruleId: 'rule_K8TW8A8SMZ3WHP4J2Q55JARYBT',
  ruleKey: 'expectation_broken',
  name: 'Expectation broken',
  description: 'A step of the agent does not do what the agent was told, as an Expectation of the project checks it.',
  categoryKey: 'instruction_following',
  keywordsMeaning: null,
  signals: signalsOf('medium'),
  defaultConfiguration: DEFAULT_RULE_CONFIGURATION,
  detect: () => [],
};

/**
 * Evaluates the active Expectations of a project: one Detection for each broken one, with the Expectation's severity
 * (unless the project overrides its signal), the clearest first.
 */
export function detectBrokenExpectations(
  expectations: readonly EvaluatedExpectation[],
  snapshot: ConversationSnapshot,
  configuration: RuleConfiguration = expectationBroken.defaultConfiguration,
): Detection[] {
  if (expectations.length === 0) return [];
  const reading = readConversation(snapshot);
  return expectations
    .filter(isUsable)
    .flatMap((expectation) => evaluateRule(ruleOf(expectation, reading), snapshot, configuration))
    .sort((left, right) => right.diagnosticConfidence - left.diagnosticConfidence)
    .slice(0, MAX_DETECTIONS);
}

/** Skips an Expectation whose pattern only an older version accepted, so that the others are still checked. */
function isUsable({ check }: EvaluatedExpectation): boolean {
  return !('pattern' in check) || check.pattern === undefined || patternProblem(check.pattern) === undefined;
}

function signalsOf(severity: Severity): readonly SignalDefinition[] {
  const known = signalsBySeverity.get(severity);
  if (known !== undefined) return known;
  const signals = Object.values(SIGNALS).map(({ name, description, weight }) => {
    return { name, description, weight, defaultSeverity: severity };
  });
  signalsBySeverity.set(severity, signals);
  return signals;
}

/** Builds the rule for one Expectation: its signals have the Expectation's severity. */
function ruleOf(expectation: EvaluatedExpectation, reading: ConversationReading): RuleDefinition {
  return {
    ...expectationBroken,
    signals: signalsOf(expectation.severity),
    detect(snapshot) {
      const violations = evaluateExpectation(expectation, snapshot, reading);
      const source = violations.length === 0 ? [] : sourceOf(expectation, snapshot);
      return violations.map((violation) => occurrenceOf(expectation, violation, source, snapshot));
    },
  };
}

function occurrenceOf(
  expectation: EvaluatedExpectation,
  violation: ExpectationViolation,
  source: readonly EvidenceDraft[],
  snapshot: ConversationSnapshot,
): Occurrence {
  const signal = SIGNALS[expectation.check.form];
  const [step, ...others] = violation.evidence;
  const agent = agentOf(snapshot, violation.message);
  const told = shorten(expectation.quote ?? expectation.statement, 300);
  return {
    signals: [{ name: signal.name, strength: violation.strength }],
    signature: signatureOf(expectation.id),
    evidence: [{ ...step, summary: stepSummary(violation) }, ...others, ...source],
    narrative: {
      title: `Not kept: ${shorten(expectation.statement, 180)}`,
      summary: `${agent} was told: "${told}". ${violation.reason}`,
      causeAssessment:
        'The instruction stands in the prompt and was not followed at this step: nothing but the prompt enforces it.',
      remediationHint: signal.hint,
    },
  };
}

function stepSummary({ reason, evidence: [step] }: ExpectationViolation): string {
  return step.summary === reason ? reason : `${reason} ${step.summary}`;
}

/** Returns the prompt sentence as evidence, if this conversation contains it. */
function sourceOf({ quote }: EvaluatedExpectation, snapshot: ConversationSnapshot): EvidenceDraft[] {
  if (quote === undefined) return [];
  const message = snapshot.messages.find(({ role, content }) => role === 'system' && content.includes(quote));
  if (message === undefined) return [];
  const start = message.content.indexOf(quote);
  return [
    {
      kind: 'message',
      message,
      title: 'What the agent was told',
      summary: 'The sentence of the prompt that the Expectation comes from.',
      quote: placedQuoteOf(message.content, start, start + quote.length),
    },
  ];
}

/** Computes the cluster of violations of an Expectation. */
export function expectationFingerprint(projectId: string, expectationId: string): string {
  const { ruleKey, categoryKey } = expectationBroken;
  return clusterFingerprint({ projectId, ruleKey, categoryKey, signature: signatureOf(expectationId) });
}

function signatureOf(expectationId: string): ClusterSignature {
  return { names: [clusterNameOf(expectationId)], text: '' };
}

const LETTERS = 'ghijklmnopqrstuv';
const MAX_KNOWN_NAMES = 1_000;
const knownNames = new Map<string, string>();

/** Encodes the id with the letters g to v, because fingerprints mask parts of names that look like generated ids. */
function clusterNameOf(expectationId: string): string {
  const known = knownNames.get(expectationId);
  if (known !== undefined) return known;
  let name = '';
  for (const digit of sha256Hex(expectationId)) name += LETTERS.charAt(Number.parseInt(digit, 16));
  if (knownNames.size >= MAX_KNOWN_NAMES) knownNames.clear();
  knownNames.set(expectationId, name);
  return name;
}
