import { readJson } from '@clew/kernel';
import type { ConversationMessage } from '@clew/contracts';
import { findPhrase, type PhraseSet } from '../text/phrases.ts';
import { placedQuoteOf, type PlacedQuote } from '../text/quote.ts';
import { sentencesOf } from '../text/sentences.ts';
import { envelopeErrorOf, unwrapContent } from './error-envelope.ts';
import { shellDiagnosticIn } from './shell-diagnostics.ts';

/** Classes of transient failures, which say nothing about the arguments. */
export const PASSING_CLASSES = new Set(['timeout', 'unavailable', 'rate_limited', 'server_error', 'unauthorized']);

/** Tool result that is an error. */
export interface ToolError {
  /** First line of the error's text. */
  readonly text: string;
  /** Class of the error, as a word, because numbers are masked in a signature. */
  readonly errorClass: string;
  /** Confidence that this is an error of the tool and not the requested content. */
  readonly strength: number;
  readonly quote: PlacedQuote | undefined;
}

const MAX_PARSED_LENGTH = 65_536;
const HEAD_LENGTH = 2000;
const MAX_LINE_LENGTH = 300;
/** Limit for plain-text errors; a longer text that begins like an error is more likely a log or a document. */
const MAX_PLAIN_ERROR_LENGTH = 1500;

const PREFIXED =
  /^\W{0,3}(?:(?:fatal|internal|unexpected|tool|api|execution|validation|runtime|server|system|database|network)\s)?(?:error|exception|failure|fehler|erreur|erro)\b\s*(?:[:([\-–—!]|\d{3}\b|(?:executing|calling|while|when|during|occurred|code|running|fetching|parsing|beim)\b|in [a-z]{2,20}ing\b|$)/i;
const FAILED_TO = /^(?:failed|unable|could not|couldn't|cannot|can't)\s+(?:to\s+)?[a-z]{2,}/i;
const NAMED_EXCEPTION = /^[A-Za-z_][\w.$]{0,100}(?:Error|Exception|Fault)\b\s*[:(]/;
const HTTP_STATUS =
  /^(?:HTTP(?:\/\d(?:\.\d)?)?\s+)(?:error\s+|status\s+)?([45]\d\d)\b|^([45]\d\d)\s+(?:bad request|unauthorized|forbidden|not found|method not allowed|request timeout|conflict|gone|too many requests|internal server error|bad gateway|service unavailable|gateway timeout|client error|server error)/i;
const REQUEST_STATUS = /^(?=.{0,200}(?:fail|error|request|respon))[^\n]{0,160}\bstatus(?: code)?:? ([45]\d\d)\b/i;
const BARE_CONDITION =
  /^(?:access denied|permission denied|connection (?:refused|reset|timed out)|request timed out|operation timed out|timed? ?out\b|rate limit|too many requests|service unavailable|not authori[sz]ed|unauthori[sz]ed|forbidden|invalid (?:api key|token|(?:(?:http|get|post|put|patch|delete) )?request|argument|parameter|input|json)|unknown tool|no such (?:tool|file|function|command)|(?:bash: )?[\w./-]{1,60}: (?:command not found|no such file or directory|permission denied))/i;
const EXCEPTION_ONLY = /^[A-Za-z_][\w.]{0,100}(?:Error|Exception)$/;
const EXIT_CODE =
  /^(?:exit(?:ed with)?[ _]?(?:code|status)|command (?:failed|exited)[a-z ]{0,30})\s*(?:[:=]\s*)?[1-9]\d{0,2}\b/i;
const TRACEBACK = /^Traceback \(most recent call last\)/m;

const CLASSES: readonly (readonly [string, RegExp])[] = [
  ['not_found', /\b404\b|not[ _]?found|\bno (?:\w{2,30} )?found\b|no such|does ?n.t exist|unknown (?:id|user|order)/i],
  ['unauthorized', /\b401\b|unauthori[sz]ed|authentication|invalid (?:api key|token)|expired token/i],
  ['forbidden', /\b403\b|forbidden|permission|access denied/i],
  ['rate_limited', /\b429\b|rate.?limit|too many requests|quota/i],
  ['timeout', /\b(?:408|504)\b|time[d ]{0,2}.?out|deadline/i],
  ['conflict', /\b409\b|conflict|already exists/i],
  ['unavailable', /\b(?:502|503)\b|unavailable|bad gateway|connection (?:refused|reset)|unreachable|overloaded/i],
  ['invalid_input', /\b(?:400|422)\b|invalid|validation|bad request|missing|required|malformed|unsupported/i],
  ['server_error', /\b5\d\d\b|internal (?:server )?error/i],
];

/** Returns the error in a tool result; undefined if the result is an ordinary one. */
export function toolErrorOf(message: ConversationMessage, keywords: PhraseSet): ToolError | undefined {
  const { content, error } = message;
  const inContent = errorInContent(content, keywords);
  if (error === undefined) return inContent;
  const text = inContent?.text || firstLine(error.message) || firstLine(content) || error.type;
  return {
    text,
    errorClass: classOf(`${error.type} ${text}`),
    strength: 1,
    quote: inContent?.quote ?? placedQuoteOf(content),
  };
}

function errorInContent(content: string, keywords: PhraseSet): ToolError | undefined {
  const trimmed = content.slice(0, HEAD_LENGTH).trimStart();
  if (/^[{["]/.test(trimmed) && content.length <= MAX_PARSED_LENGTH) {
    const unwrapped = unwrapContent(parsed(content));
    if (typeof unwrapped !== 'string') return envelopeError(content, unwrapped);
    return textError(content, unwrapped, keywords);
  }
  return textError(content, content, keywords);
}

function envelopeError(content: string, value: unknown): ToolError | undefined {
  const found = envelopeErrorOf(value);
  if (found === undefined) return undefined;
  const text = firstLine(found.text) || 'an error without a message';
  const errorClass = classOf(found.statusCode === undefined ? text : `${found.statusCode} ${text}`);
  return { text, errorClass, strength: 1, quote: quoteAround(content, text) };
}

function textError(content: string, answer: string, keywords: PhraseSet): ToolError | undefined {
  const head = answer.slice(0, HEAD_LENGTH).trimStart();
  const line = firstLine(head);
  const cause = TRACEBACK.test(head) || EXIT_CODE.test(line) ? causeLine(answer) : diagnosticOf(answer);
  const text = cause ?? line;
  const strength = cause === undefined ? plainErrorStrength(line, answer.length) : 1;
  const byKeyword =
    strength === 0 && sentencesOf(head).some((sentence) => findPhrase(keywords, sentence) !== undefined);
  if (strength === 0 && !byKeyword) return undefined;
  return { text, errorClass: classOf(text), strength: byKeyword ? 1 : strength, quote: quoteAround(content, text) };
}

/** Line with the error of a utility, in a text that is no longer than such errors are. */
function diagnosticOf(answer: string): string | undefined {
  return answer.length > MAX_PLAIN_ERROR_LENGTH ? undefined : shellDiagnosticIn(answer);
}

/** Returns 0 if the line is no error. */
function plainErrorStrength(line: string, answerLength: number): number {
  if (EXIT_CODE.test(line)) return 1;
  if (answerLength > MAX_PLAIN_ERROR_LENGTH) return 0;
  if (PREFIXED.test(line) || NAMED_EXCEPTION.test(line) || HTTP_STATUS.test(line) || REQUEST_STATUS.test(line))
    return 1;
  return BARE_CONDITION.test(line) || FAILED_TO.test(line) ? 0.9 : 0;
}

/** Returns the first class whose words the error uses; `error` if none fits. */
function classOf(text: string): string {
  const head = text.slice(0, 400);
  return CLASSES.find(([, pattern]) => pattern.test(head))?.[0] ?? 'error';
}

/** Finds the line that names the cause: the last exception of a traceback, or the last line of a command's output. */
function causeLine(answer: string): string | undefined {
  const lines = answer
    .slice(-HEAD_LENGTH)
    .split('\n')
    .map((line) => line.trim());
  const exception = lines.findLast((line) => NAMED_EXCEPTION.test(line) || EXCEPTION_ONLY.test(line));
  return (exception ?? lines.findLast((line) => line !== ''))?.slice(0, MAX_LINE_LENGTH);
}

function firstLine(text: string): string {
  return (text.slice(0, HEAD_LENGTH).trimStart().split('\n', 1)[0] ?? '').slice(0, MAX_LINE_LENGTH).trim();
}

/** Quotes the error's own words in the content; if they are escaped there, the beginning of the content. */
function quoteAround(content: string, text: string): PlacedQuote | undefined {
  const start = content.indexOf(text);
  return start === -1 ? placedQuoteOf(content) : placedQuoteOf(content, start, start + text.length);
}

function parsed(content: string): unknown {
  try {
    const value: unknown = readJson(content);
    return value;
  } catch {
    return content;
  }
}
