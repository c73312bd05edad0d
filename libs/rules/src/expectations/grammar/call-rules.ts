import { resolveAction } from './actions.ts';
import { isConditional } from './canonical.ts';
import type { Production } from './draft.ts';
import { PERSON } from './people.ts';

const HARMLESS_END =
  /(?:,? (?:under any circumstances|for any reason|no matter what|at all|ever|yourself|on your own|directly|not even if asked)){1,4}$/;

/** Reads `Never cancel orders`, if a tool does exactly that: `never_call`. */
export const prohibitions: Production = ({ text }, offered) => {
  const passive = /^(?<action>[a-z]+ing .+?) is (?:never|not) (?:allowed|permitted)(?: in (?:the |this )?chat)?$/.exec(
    text,
  )?.groups?.action;
  const phrase = passive ?? /^never (?<action>.+)$/.exec(text)?.groups?.action ?? '';
  if (phrase === '' || isConditional(phrase)) return [];
  const resolved = resolveAction(phrase.replace(HARMLESS_END, ''), offered);
  return resolved?.isExact === true ? [{ form: 'never_call', tools: [...resolved.tools] }] : [];
};

const NUMBERS = ['', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const NUMBER = `(?:${NUMBERS.slice(1).join('|')}|a single|once|twice|\\d{1,4})`;
const SCOPE =
  '(?:per|in|in an?|in one|in the|within|within an?|during|during an?|for each|each) (?:single |whole |entire |same )?(?:conversation|session|chat|call|interaction|dialogue|run)';
const AT_MOST = '(?:at most|no more than|not more than|a maximum of|up to|only)';
const LIMITS: readonly RegExp[] = [
  new RegExp(
    `^(?:you )?(?:may |can |are allowed to )?(?:only )?(?<verb>[a-z]+) ${AT_MOST} (?<number>${NUMBER}) (?<object>[a-z _]+?) ${SCOPE}$`,
  ),
  new RegExp(`^(?:you )?(?:may |can )?only (?<verb>[a-z]+) (?<number>${NUMBER}) (?<object>[a-z _]+?) ${SCOPE}$`),
  new RegExp(`^never (?<verb>[a-z]+) more than (?<number>${NUMBER}) (?<object>[a-z _]+?) ${SCOPE}$`),
  new RegExp(`^never (?<verb>[a-z]+) (?<object>[a-z _]+?) more than (?<number>${NUMBER})(?: times)? ${SCOPE}$`),
  new RegExp(`^(?<verb>[a-z]+) (?<object>[a-z_ ]+?) (?:${AT_MOST} )?(?<number>${NUMBER})(?: times)? ${SCOPE}$`),
];
const TOOL_CALLS = /^(?:tool|function) calls?$|^(?:tools|functions)$/;

/**
 * Reads `Issue at most one refund per conversation`: `max_calls`. The sentence must mention the whole conversation;
 * otherwise its scope is unknown.
 */
export const limits: Production = ({ text }, offered) => {
  for (const pattern of LIMITS) {
    const { verb = '', number = '', object = '' } = pattern.exec(text)?.groups ?? {};
    const count = numberOf(number);
    if (count === undefined || isConditional(text)) continue;
    if (TOOL_CALLS.test(object)) return [{ form: 'max_calls', tools: ['*'], count }];
    const resolved = resolveAction(`${verb} ${object}`, offered);
    if (resolved?.isExact === true) return [{ form: 'max_calls', tools: [...resolved.tools], count }];
  }
  return [];
};

function numberOf(word: string): number | undefined {
  if (word === 'once' || word === 'a single') return 1;
  if (word === 'twice') return 2;
  const count = /^\d+$/.test(word) ? Number(word) : NUMBERS.indexOf(word);
  return count >= 1 ? count : undefined;
}

const CALL = '(?:tool|function|api|action)';
const MAKE = '(?:make|call|use|invoke|execute|issue|run|perform|do|send|trigger|be called|be used|be made)';
const STEP = '(?:turn|step|message|response|reply|time|round|action)';
const AT_ONCE = `(?:at a time|at once|at the same time|simultaneously|in parallel|concurrently|(?:per|in|in an?|in one|in the same|in any|each|every|for each) (?:single |one |given )?${STEP})`;
const THEN_WAIT =
  '(?:,? (?:and|then|and then) (?:always )?wait .*)?(?:,? (?:sequentially|never .*in parallel))?(?: is (?:allowed|permitted|possible))?';
const ONE_CALL: readonly RegExp[] = [
  new RegExp(
    `^(?:you )?(?:can |may |must |should )?(?:only )?(?:${MAKE} )?(?:only |at most |exactly |just |no more than |a maximum of )?(?:one|1|a single) ${CALL}s?(?: calls?| invocations?)?(?: (?:can |may |must |should )?(?:be )?(?:called|used|made|allowed|permitted))? ${AT_ONCE}${THEN_WAIT}$`,
  ),
  new RegExp(
    `^only (?:one|1|a single) ${CALL}(?: call)? (?:can|may|must|should) be (?:called|used|made|executed) ${AT_ONCE}$`,
  ),
  new RegExp(
    `^never ${MAKE} (?:multiple|several|two|parallel|more than one|more than 1|simultaneous|concurrent|two or more) ${CALL}s?(?: calls?)?(?: ${AT_ONCE})?$`,
  ),
  new RegExp(`^never ${MAKE} ${CALL}s?(?: calls?)? (?:in parallel|simultaneously|concurrently|at the same time)$`),
  new RegExp(
    `^${MAKE} (?:the )?${CALL}s?(?: calls?)? (?:sequentially|one at a time|one by one|one after (?:another|the other))(?:,? (?:and )?never (?:in parallel|simultaneously))?$`,
  ),
];
/** `More than one call in total` is a limit, and read-only calls may still go together. */
const OTHER_SCOPE = /\b(?:except|read-only|same tool|identical)\b/;

/** Reads `Only one tool call at a time`: `one_call_at_a_time`. */
export const singleCalls: Production = ({ text }) => {
  if (OTHER_SCOPE.test(text)) return [];
  return ONE_CALL.some((pattern) => pattern.test(text)) ? [{ form: 'one_call_at_a_time' }] : [];
};

const CALLING = `(?:mak(?:e|ing)|call(?:ing)?|us(?:e|ing)|invok(?:e|ing)|issu(?:e|ing)) (?:an?y? |the )?${CALL}s?(?: calls?)?`;
const SAY =
  '(?:respond|reply|replying|responding|write|writing|answer|answering|talk|talking|speak|speaking|message|messaging|communicate|communicating)';
const PUT =
  '(?:send|sending|say|saying|output|outputting|return|returning|include|including|add|adding|produce|producing|generate|generating|write|writing|emit)';
const WORDS =
  '(?:(?:any|an?|the|other|additional|extra|accompanying|user-facing|normal|chat|text) ){0,3}(?:text|words?|messages?|content|response|reply|answer|prose|anything|explanations?|commentary)';
const AUDIENCE = `(?: (?:to )?(?:the |your )?${PERSON})?`;
const TOGETHER =
  '(?:,? (?:at the same time|simultaneously|together|at once|as well|alongside it|(?:in|within) (?:the same|one|a single|that) (?:turn|message|response|step|reply)))';
const SPEAKING = `(?:${SAY}|${PUT} ${WORDS})${AUDIENCE}`;
const NO_WORDS: readonly RegExp[] = [
  new RegExp(
    `^(?:if|when|whenever|while) (?:you )?(?:are )?${CALLING},? (?:you )?(?:must |should |do |may |can )?(?:not|never) (?:also )?${SPEAKING}${TOGETHER}?$`,
  ),
  new RegExp(
    `^(?:if|when|whenever|while) (?:you )?(?:are )?${CALLING},? (?:return|write|output|send|say|include|produce|add) (?:no (?:text|words?|message|other text|additional text)|nothing(?: else)?)$`,
  ),
  new RegExp(
    `^(?:if|when|whenever) (?:you )?${SPEAKING},? (?:you )?(?:must |should |do )?(?:not|never) ${CALLING}${TOGETHER}?$`,
  ),
  new RegExp(`^never ${SPEAKING} (?:while|when|as) (?:you |you are |also )?${CALLING}${TOGETHER}?$`),
  new RegExp(`^never ${SPEAKING} and (?:also )?${CALLING}${TOGETHER}$`),
  new RegExp(`^never (?:${CALLING}) and (?:also )?${SPEAKING}${TOGETHER}$`),
  new RegExp(
    `^never (?:combine|mix) (?:an? |the )?${CALL}s? calls? (?:and|with) (?:${SPEAKING}|${WORDS})${AUDIENCE}${TOGETHER}?$`,
  ),
  new RegExp(`^either ${CALLING} or ${SPEAKING},? (?:but )?(?:never|not) both${TOGETHER}?$`),
];

/** Reads `When you call a tool, do not write to the user`: `no_words_with_calls`. */
export const silentCalls: Production = ({ text }) => {
  return NO_WORDS.some((pattern) => pattern.test(text)) ? [{ form: 'no_words_with_calls' }] : [];
};

const INVENT = '(?:make up|making up|invent|fabricate|guess|assume|hallucinate|fill in)';
const INVENTED = new RegExp(`^never (?:${INVENT}(?:,| or|, or|/)? ?)+(?<what>[^.;:]+)$`);
/** Kinds of data that appear in the arguments of calls, and can be told from other words there. */
const DATA =
  /\b(?:ids?|identifiers?|codes?|e-?mails?|(?:e-?mail |postal |ip )?address(?:es)?|(?:file |host |user |column |table |service )names?|(?:file )?paths?|(?:tool |function |call )?(?:arguments?|parameters?|parameter values|argument values)|(?:order|account|phone|tracking|reference|card|customer|policy|reservation|booking|invoice|serial|ticket|claim|contract|case|flight) numbers?)\b/;
/** `Never assume that the address is right` is about something else. */
const SAYS_MORE = /\b(?:is|are|was|were|that|which|has|have|will|means?)\b/;
const ALL_DATA =
  /^(?:any )?(?:information|data|details|facts|values)(?:,? (?:or|and) (?:information|data|details|facts|values|procedures))*$/;
const PROVIDED_ONLY = new RegExp(
  `^never (?:provide|give|use|share|offer) (?:any )?(?:information|facts|data|details)\\b[^.;]{0,60}?\\b(?:not (?:explicitly )?(?:provided|given|returned|supplied)|neither)\\b[^.;]{0,60}\\b(?:tools?|functions?)\\b[^.;]*$`,
);

/** Reads `Do not make up order numbers`: `grounded_arguments`. */
export const groundings: Production = ({ text, before }) => {
  const what = INVENTED.exec(text)?.groups?.what ?? '';
  const isPronoun = /^(?:one|it|them|those|any)$/.test(what);
  const isData = isPronoun ? DATA.test(before) : DATA.test(what) || ALL_DATA.test(what);
  if (isConditional(text) || SAYS_MORE.test(what) || !(isData || PROVIDED_ONLY.test(text))) return [];
  return [{ form: 'grounded_arguments', tools: ['*'] }];
};
