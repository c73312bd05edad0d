import type { ConversationMessage } from '@clew/contracts';
import { isChange } from '../../judgement/changes.ts';
import { actionOfToolVerb, claimsIn, isConditional, type Claim } from '../../links/claims.ts';
import { DEFAULT_RULE_CONFIGURATION, type Occurrence, type RuleDefinition } from '../../rule.ts';
import { compilePhrases, findPhrase } from '../../text/phrases.ts';
import { shorten } from '../../text/quote.ts';
import { tokensOf } from '../../text/sentences.ts';
import { nameWords } from '../../conversation/tool-names.ts';
import { isFunctionWord } from '../../vocabulary/function-words.ts';
import { argumentsText, viewOf, type ConversationView, type ViewedCall } from '../../view/conversation-view.ts';
import { callEvidence, messageEvidence } from '../support/evidence.ts';

/**
 * Claim of the agent that something was done, although no tool call did it.
 *
 * Cluster: the agent and the claimed action.
 */
export const unsupportedActionClaim: RuleDefinition = {
  ruleId: 'rule_XNKD8RA8ZD4AWBV71NEQ5FM4SF',
  ruleKey: 'unsupported_action_claim',
  name: 'Unsupported claim of an action',
  description: 'The agent says that something was done, and no successful tool call did it.',
  categoryKey: 'grounding',
  keywordsMeaning: null,
  signals: [
    {
      name: 'claimed_without_call',
      description:
        'Something is said to be done that no result tells, and no tool that changes anything was called with success',
      defaultSeverity: 'medium',
      weight: 0.8,
    },
    {
      name: 'claimed_part_not_called',
      description: 'One of several things said to be done is named by no call that changes anything, nor by its result',
      defaultSeverity: 'low',
      weight: 0.6,
    },
    {
      name: 'looked_up_without_call',
      description: 'The agent gives what it says it has looked up or checked, and no call was made since it was asked',
      defaultSeverity: 'medium',
      weight: 0.6,
    },
  ],
  defaultConfiguration: DEFAULT_RULE_CONFIGURATION,
  detect(snapshot) {
    const view = viewOf(snapshot);
    // If no tool occurs at all, telemetry may not record tools.
    if (view.calls.length === 0 && snapshot.tools.length === 0) return [];
    if (snapshot.scope === 'traces') return [];
    return [...unsupportedClaims(view), ...lookedUpWithoutCall(view)];
  },
};

/** General words, which can mean anything and appear in no call: `your request`, `the changes`. */
const GENERAL = new Set(
  (
    'request requests change changes update updates everything all details information following issue issues problem ' +
    'order booking reservation account ticket appointment case item items action actions process system successfully additionally also additional one two three both ' +
    'anfrage anderung anderungen demande changements solicitud cambios pedido alteracoes'
  ).split(' '),
);

/** Actions so far, as shown by the calls. */
interface Done {
  last: ViewedCall | undefined;
  /** Positions of the calls' results. */
  readonly results: Set<number>;
  /** Words of the tools' names, and the actions that they stand for. */
  readonly verbs: Set<string>;
  /** Words of names and arguments. */
  readonly words: Set<string>;
}

function unsupportedClaims(view: ConversationView): Occurrence[] {
  const done: Done = { last: undefined, results: new Set(), verbs: new Set(), words: new Set() };
  const calls = view.calls.filter(mayHaveDone);
  let next = 0;
  return view.messages.flatMap((message, position): Occurrence[] => {
    for (let call = calls[next]; call !== undefined && call.position <= position; call = calls[(next += 1)]) {
      done.last = call;
      if (call.result !== undefined) done.results.add(view.positionOf(call.result));
      for (const verb of nameWords(call.toolName)) done.verbs.add(verb).add(actionOfToolVerb(verb) ?? verb);
      if (done.words.size < MAX_WORDS) for (const word of wordsOf(call)) done.words.add(word);
    }
    return claimsIn(view, message).flatMap((claim) => judge(view, claim, done) ?? []);
  });
}

const MAX_WORDS = 5000;
const MAX_TEXT = 20_000;

function judge(view: ConversationView, claim: Claim, done: Done): Occurrence | undefined {
  const { last, results, verbs, words } = done;
  if (followsFailedChange(view, claim) || namesResult(view, claim, done)) return undefined;
  // A participle that a result or the user had before is a report of a state: `it has been delivered`.
  if (view.values.isGivenBefore(claim.participle, claim.position)) return undefined;
  if (last === undefined) return toOccurrence(view, claim, 'claimed_without_call', undefined);
  if (verbs.has(claim.verb) || repeatsNumberOf(claim, last)) return undefined;
  const things = particular(claim.subject);
  const isNamed = (word: string): boolean => isAmong(words, word);
  const names = things.filter((word) => isNameIn(view, claim, word));
  // `Ada has been upgraded` after a call that does not name her: the tool did something else than claimed.
  if (names.length > 0) {
    return names.some(isNamed) ? undefined : toOccurrence(view, claim, 'claimed_part_not_called', last);
  }
  const inResults = (word: string): boolean =>
    [...results].some(
      (position) => view.messages[position] !== undefined && hasWord(view, view.messages[position], word),
    );
  if (things.length === 0 || things.some(isNamed) || things.some(inResults)) return undefined;
  return particular(claim.object).some(isNamed)
    ? undefined
    : toOccurrence(view, claim, 'claimed_part_not_called', last);
}

/**
 * Tells whether a failed change precedes the claim in the same turn: that is an ignored error, which another Rule
 * reports.
 */
function followsFailedChange(view: ConversationView, { position }: Claim): boolean {
  const asked = view.userMessageBefore(position);
  const from = asked === undefined ? -1 : view.positionOf(asked);
  return view.calls.some((call) => call.position > from && call.position < position && isFailedChange(call));
}

function isFailedChange(call: ViewedCall): boolean {
  return call.error !== undefined && isChange(call);
}

/** Tells whether the claim names a value from the result of a change: `Request LR-3321 has been submitted`. */
function namesResult(view: ConversationView, { message, sentence }: Claim, { results }: Done): boolean {
  return view.scan(message).values.some(({ key, start, end }) => {
    const origin = start >= sentence.start && end <= sentence.end ? view.values.originOf(key) : undefined;
    return origin !== undefined && results.has(origin.position);
  });
}

const NUMBER = /\d[\d.,]{0,20}/g;

/** Tells whether the claim repeats a number of the call or of its result: `raised to 1200` after `amount: 1200.0`. */
function repeatsNumberOf(claim: Claim, call: ViewedCall): boolean {
  const said = claim.message.content.slice(claim.sentence.start, claim.sentence.end);
  const text = `${argumentsText(call.call)} ${call.result?.content ?? ''}`.slice(0, MAX_TEXT);
  const known = new Set(numbersIn(text));
  return numbersIn(said).some((number) => known.has(number));
}

function numbersIn(text: string): number[] {
  return [...text.matchAll(NUMBER)].map(([digits]) => Number(digits.replaceAll(',', '').replace(/\.$/, '')));
}

function particular(words: readonly string[]): string[] {
  return words.filter((word) => !GENERAL.has(word) && !/\p{N}/u.test(word) && word.length > 2);
}

/** Tells whether a word is capitalized and was mentioned by a user or a tool. */
function isNameIn(view: ConversationView, { message, position, sentence }: Claim, word: string): boolean {
  const token = sentence.tokens.find(({ text }) => text === word);
  const isCapital = token !== undefined && /^\p{Lu}\p{Ll}/u.test(message.content.slice(token.start, token.end));
  return isCapital && view.values.isGivenBefore(word, position);
}

const LOOKED_UP = compilePhrases([
  '(i|ive|i have|we|weve|we have) (just|now|also|carefully|thoroughly|manually|already|double|) (checked|verified|searched|reviewed|looked up|found|retrieved|examined|inspected|confirmed|consulted|gathered|collected|identified|cross checked|read)',
  '(after|upon|following) (a|the|my|careful|thorough|manual|) (review|reviewing|search|searching|checking|verification|verifying|examination|examining|inspection|inspecting|analysis)',
  '(search|search results|results|records|database|website|page|article|document) (show|shows|indicate|indicates|confirm|confirms|reveal|reveals|say|says)',
  '(ich habe|wir haben) … (gepruft|nachgesehen|gesucht|gefunden|uberpruft)',
  '(jai|nous avons) … (verifie|cherche|trouve|consulte)',
  '(he|hemos) (verificado|buscado|encontrado|revisado|consultado)',
  '(verifiquei|procurei|encontrei|consultei)',
]);
const MIN_NEW_VALUES = 3;

/** Finds results without a call: the agent claims a lookup and presents new values as its result. */
function lookedUpWithoutCall(view: ConversationView): Occurrence[] {
  const found: Occurrence[] = [];
  let isInformed = false;
  for (const message of view.messages) {
    if (view.isFromUser(message)) isInformed = false;
    if (message.role === 'tool' || message.origin !== undefined || (message.attachments ?? []).length > 0)
      isInformed = true;
    if (isInformed || message.role !== 'assistant' || (message.toolCalls ?? []).length > 0) continue;
    const sentence = view
      .sentences(message)
      .find((one) => !isConditional(one) && findPhrase(LOOKED_UP, one) !== undefined);
    if (sentence === undefined) continue;
    const values = view.values.introducedAt(view.positionOf(message));
    if (values.length < MIN_NEW_VALUES) continue;
    const claim = {
      message,
      position: view.positionOf(message),
      sentence,
      verb: 'look up',
      participle: '',
      subject: [],
      object: [],
    };
    found.push(toOccurrence(view, claim, 'looked_up_without_call', undefined));
  }
  return found;
}

/** Tells whether a call may have done the action; a tool with a meaningless name may have done anything. */
function mayHaveDone(call: ViewedCall): boolean {
  if (call.error !== undefined) return false;
  const { handsOver, notifies, answers, reads } = call.character;
  return isChange(call) || handsOver || notifies || (!reads && !answers);
}

function wordsOf(call: ViewedCall): string[] {
  const text = `${call.toolName} ${argumentsText(call.call)}`.slice(0, MAX_TEXT).replaceAll('_', ' ');
  return tokensOf(text)
    .map((token) => token.text)
    .filter((word) => word.length > 2 && !isFunctionWord(word));
}

/** Tells whether a message contains a word or a form of it. */
function hasWord(view: ConversationView, message: ConversationMessage, word: string): boolean {
  return isAmong(view.scan(message).words, word);
}

/** Tells whether the words contain a word, also by prefix: `total_baggages` names `bag`. */
function isAmong(words: ReadonlySet<string>, word: string): boolean {
  if (words.has(word)) return true;
  const stem = word.slice(0, Math.max(3, word.length - 2));
  for (const other of words) if (other.startsWith(stem) || (other.length > 2 && word.startsWith(other))) return true;
  return false;
}

const TITLES: Readonly<Record<string, (agent: string, participle: string) => string>> = {
  claimed_without_call: (agent, participle) => `${agent} says that something is ${participle}, and no tool did it`,
  claimed_part_not_called: (agent, participle) =>
    `${agent} says that something is ${participle} which no call that changes anything names`,
  looked_up_without_call: (agent) => `${agent} says that it looked something up, and no call was made`,
};

const WHY: Readonly<Record<string, string>> = {
  claimed_without_call: 'no tool that changes anything had succeeded',
  claimed_part_not_called: 'no call that changes anything names it',
  looked_up_without_call: 'no call was made since it was asked',
};

function toOccurrence(view: ConversationView, claim: Claim, signal: string, last: ViewedCall | undefined): Occurrence {
  const agent = view.agentOf(claim.message);
  const said = shorten(claim.message.content.slice(claim.sentence.start, claim.sentence.end), 200);
  return {
    signals: [{ name: signal, strength: 1 }],
    signature: { names: [agent, claim.verb, signal], text: '' },
    evidence: [
      messageEvidence(claim.message, 'What the agent says it did', 'No call did it.', claim.sentence),
      ...(last === undefined ? [] : [callEvidence(last, 'The last call that changed something')]),
    ],
    narrative: {
      title: TITLES[signal]?.(agent, claim.participle) ?? '',
      summary: `The agent said "${said}", and ${WHY[signal] ?? ''}.`,
      causeAssessment: `No call before the claim explains it; ${view.calls.length === 0 ? 'no tool was called at all' : 'the tools that were called do something else'}.`,
      remediationHint: `Let ${agent} state only what a result shows, check what it says against the calls of the turn, and give it a tool or a way to say that it has none.`,
    },
  };
}
