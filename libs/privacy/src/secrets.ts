import { allMatches } from '@clew/kernel';
/** Secret or personal number in a text, which must not be passed on. */
export interface Secret {
  readonly kind: string;
  readonly group: 'secret' | 'personal';
  readonly start: number;
  readonly end: number;
}

interface SecretPattern {
  readonly kind: string;
  readonly group: Secret['group'];
  /** Part of every match: most texts contain none, and the pattern is then not run. */
  readonly needle: RegExp;
  readonly pattern: RegExp;
  readonly isReal?: (match: string) => boolean;
}

/** Kind of bank account numbers. */
export const BANK_ACCOUNT = 'bank account number';

const MAX_SECRETS = 50;
const MAX_LENGTH = 200_000;
/** Placeholders, which are meant to be filled in: `sk-xxxxxxxx`, `your-api-key`, `<password>`. */
const PLACEHOLDER = /x{4,}|\*{3,}|\.{3}|your|example|placeholder|changeme|redacted|<|>|\$\{|\{\{|^(.)\1+$/i;

const PATTERNS: readonly SecretPattern[] = [
  secret('private key', /-----BEGIN/, /-----BEGIN (?:[A-Z]{2,12} ){0,3}PRIVATE KEY-----[A-Za-z0-9+/=\s]{0,8000}/g),
  secret('access key id', /AKIA|ASIA/, /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g),
  secret(
    'token',
    /gh[pousr]_|github_pat_|glpat-/,
    /\b(?:gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_\w{50,255}|glpat-[\w-]{20,64})\b/g,
  ),
  secret('token', /xox[abprs]-/, /\bxox[abprs]-[A-Za-z0-9-]{10,250}\b/g),
  secret(
    'API key',
    /\b(?:sk|rk|pk)[-_]/,
    /\b(?:sk|rk|pk)[-_](?:live[-_]|test[-_]|proj[-_]|ant[-_])?[A-Za-z0-9_-]{20,200}/g,
  ),
  secret('API key', /AIza|SG\./, /\bAIza[\w-]{35}\b|\bSG\.[\w-]{16,32}\.[\w-]{32,64}\b/g),
  // A beginning shortly after another one is part of what that one begins: it is not read again.
  secret('signed token', /eyJ/, /(?<!\beyJ[\w-]{0,30})\beyJ[\w-]{10,2000}\.eyJ[\w-]{10,4000}\.[\w-]{10,2000}/g),
  secret(
    'password in a URL',
    /:\/\/[^\s/@]*:/,
    /\b[a-z][a-z0-9+.-]{1,20}:\/\/[\w.~%+-]{1,100}:[^\s:/@"'`<>()[\]{},]{3,200}@[\w.-]{1,200}/g,
  ),
  secret(
    'password',
    /passw|passwort|contrase|secret|api[_ -]?key|token/i,
    /\b(?:passw(?:or)?d|passwort|contraseña|api[_ -]?key|client[_ -]?secret|secret[_ -]?key|access[_ -]?token)["'`*]{0,3}\s{0,2}(?::|=|is|ist|lautet)\s{0,2}["'`*]{0,3}(?!<?https?:)(?=[^\s"'`*]{0,100}[\d!@#$%^&])[^\s"'`*,;]{8,200}/gi,
  ),
  personal('payment card number', /\d{4}/, /\b(?:\d[ -]?){12,18}\d\b/g, isCardNumber),
  personal(BANK_ACCOUNT, /[A-Z]{2}\d{2}/, /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b/g, isIban),
  personal('social security number', /\d{3}-\d{2}-\d{4}/, /\b(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}\b/g),
];

/** Finds the secrets and personal numbers in a text, in order, except obvious placeholders. */
export function secretsIn(text: string): Secret[] {
  const head = text.length > MAX_LENGTH ? text.slice(0, MAX_LENGTH) : text;
  const found: Secret[] = [];
  for (const { kind, group, needle, pattern, isReal } of PATTERNS) {
    if (!needle.test(head)) continue;
    for (const match of allMatches(head, pattern)) {
      if (found.length >= MAX_SECRETS) break;
      if (isReal === undefined ? PLACEHOLDER.test(match[0]) : !isReal(match[0])) continue;
      found.push({ kind, group, start: match.index, end: match.index + match[0].length });
    }
  }
  return withoutOverlaps(found);
}

/** Describes a secret by the facts that may be disclosed: its kind, its length and its end. */
export function describeSecret(text: string, { kind, start, end }: Secret): string {
  const shown = end - start >= 12 ? `, ending in ${text.slice(end - 4, end)}` : '';
  return `${kind}, ${end - start} characters${shown}`;
}

/** Replaces every secret in a text by its description. */
export function maskSecrets(text: string): string {
  const secrets = secretsIn(text);
  let masked = '';
  let from = 0;
  for (const found of secrets) {
    masked += `${text.slice(from, found.start)}[${describeSecret(text, found)}]`;
    from = found.end;
  }
  return secrets.length === 0 ? text : masked + text.slice(from);
}

function secret(kind: string, needle: RegExp, pattern: RegExp): SecretPattern {
  return { kind, group: 'secret', needle, pattern };
}

function personal(kind: string, needle: RegExp, pattern: RegExp, isReal?: (match: string) => boolean): SecretPattern {
  return { kind, group: 'personal', needle, pattern, ...(isReal === undefined ? {} : { isReal }) };
}

function withoutOverlaps(found: readonly Secret[]): Secret[] {
  const kept: Secret[] = [];
  for (const one of found.toSorted((left, right) => left.start - right.start || right.end - left.end)) {
    if (one.start >= (kept.at(-1)?.end ?? 0)) kept.push(one);
  }
  return kept;
}

/** Checks the check digit of payment cards (Luhn), and the first digit that issuers use. */
function isCardNumber(match: string): boolean {
  const digits = match.replace(/\D/g, '');
  if (digits.length < 13 || digits.length > 19 || !/^[2-6]/.test(digits) || /^(\d)\1+$/.test(digits)) return false;
  const sum = [...digits].toReversed().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** Checks the check digits of an international bank account number: the remainder of division by 97 is 1. */
function isIban(match: string): boolean {
  const compact = match.replaceAll(' ', '');
  if (compact.length < 15 || compact.length > 34) return false;
  let rest = 0;
  for (const character of compact.slice(4) + compact.slice(0, 4)) {
    const value = /\d/.test(character) ? character : String(character.charCodeAt(0) - 55);
    rest = Number(`${rest}${value}`) % 97;
  }
  return rest === 1;
}
