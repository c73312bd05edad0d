import { allMatches } from '@clew/kernel';
import { secretsIn, type Secret } from '../secrets.ts';
import { ibanKey, isOtherNumber, isTimestamp } from './find-numbers.ts';
import { hasDigit } from './searchable.ts';
import type { RedactedKind, Span } from './span.ts';

/** Part of a text that is searched at once: `secretsIn` finds a limited number of secrets. */
const PIECE_LENGTH = 8_000;
/** Length at the end of a piece that is searched again with the next one. */
const OVERLAP = 300;
const PERSONAL_KINDS: ReadonlyMap<string, RedactedKind> = new Map([
  ['payment card number', 'card'],
  ['bank account number', 'iban'],
  ['social security number', 'ssn'],
]);
const LABEL =
  /^(?:passw(?:or)?d|passwort|contraseña|api[_ -]?key|client[_ -]?secret|secret[_ -]?key|access[_ -]?token)["'`*]{0,3}\s{0,2}(?::|=|is|ist|lautet)\s{0,2}["'`*]{0,3}/i;
const URL_USER = /^[a-z][a-z0-9+.-]{1,20}:\/\/[\w.~%+-]{1,100}:/i;
/** Secrets that are known by their label only, and short ones; each has a digit. */
const LABELLED: readonly RegExp[] = [
  /(?<!\p{L})(?:pass(?:word|wd|code|phrase|wort)|pwd|kennwort|mot de passe|contraseña)["'`*]{0,8}\s{0,2}(?::|=|is(?= )|ist(?= )|to(?= )|est(?= )|es(?= ))\s{0,2}["'`*]{0,8}((?![<{$[*]|your|example|x{3}|https?:)(?=[^\s"'`*,;]{0,60}\d)(?=[^\s"'`*,;]{0,60}\p{L}|\d{4})[^\s"'`*,;]{4,200})/giu,
  /(?<!\p{L})(?:(?:api|auth|access|refresh|session|bearer|client|private|secret|signing|webhook)[ _-]?(?:key|token|secret)|authorization)["'`*]{0,8}\s{0,2}(?::|=|is(?= ))\s{0,2}["'`*]{0,8}(?:(?:bearer|basic|token) )?((?![<{$[*]|your|example|x{3}|https?:)(?=[^\s"'`*,;]{0,60}\d)[^\s"'`*,;]{8,2000})/giu,
  /(?<!\p{L})bearer ((?=[\w.~+/=-]{0,60}\d)[\w.~+/=-]{16,2000})/giu,
  /(?<!\p{L})(?:pin|cvv2?|cvc2?|security code|sicherheitscode)(?: ?(?:code|number))?["'`*]{0,8}(?::| is| ist|=)?\s{1,2}["'`*]{0,8}(\d{3,6})(?![\d.,:/-]?\d|\p{L})/giu,
];

/** Finds keys, tokens and passwords, without their labels, and the personal numbers that the rules know. */
export function* findSecrets(text: string): Generator<Span> {
  for (const { found, from } of inPieces(text)) yield* spanOf(text, found, from);
  for (const pattern of hasDigit(text) ? LABELLED : []) {
    for (const { 0: match, 1: value = '', index } of allMatches(text, pattern)) {
      const end = index + match.length;
      yield { kind: 'secret', start: end - value.length, end, key: value };
    }
  }
}

/** Reads a long text piece by piece. A secret at the end of a piece may go on: the next piece begins with it. */
function* inPieces(text: string): Generator<{ found: Secret; from: number }> {
  for (let from = 0; from < text.length;) {
    const end = pieceEnd(text, from);
    const all = allSecretsIn(text.slice(from, end));
    const cut = end === text.length ? undefined : all.find((found) => from + found.end === end && found.start > 0);
    for (const found of all) if (found !== cut) yield { found, from };
    if (end === text.length) return;
    from = cut === undefined ? pieceStart(text, from, end) : from + cut.start;
  }
}

/** Ends a piece between two words, where there are words: half of a token is another token. */
function pieceEnd(text: string, from: number): number {
  const end = from + PIECE_LENGTH;
  if (end >= text.length) return text.length;
  for (let index = end; index > end - PIECE_LENGTH / 2; index -= 1) {
    if (/\s/.test(text.charAt(index))) return index;
  }
  return end;
}

function pieceStart(text: string, from: number, end: number): number {
  const start = Math.max(from + 1, end - OVERLAP);
  const space = text.slice(start, end).search(/\s/);
  return space === -1 ? end : start + space;
}

/** Searches until nothing more is found; what was found is blanked out, so that places stay. */
function allSecretsIn(piece: string): Secret[] {
  const all: Secret[] = [];
  let rest = piece;
  for (let found = secretsIn(rest); found.length > 0; found = secretsIn(rest)) {
    all.push(...found);
    let from = 0;
    let blanked = '';
    for (const { start, end } of found) {
      blanked += rest.slice(from, start) + '\n'.repeat(end - start);
      from = end;
    }
    rest = blanked + rest.slice(from);
  }
  return all;
}

function* spanOf(text: string, found: Secret, from: number): Generator<Span> {
  const kind = PERSONAL_KINDS.get(found.kind) ?? 'secret';
  const whole = text.slice(from + found.start, from + found.end);
  const label = kind === 'secret' ? (LABEL.exec(whole) ?? URL_USER.exec(whole))?.[0].length : 0;
  const start = from + found.start + (label ?? 0);
  // The host behind the password is no secret.
  const end = URL_USER.test(whole) ? from + found.start + whole.lastIndexOf('@') : from + found.end;
  if (kind === 'card' && (isOtherNumber(text, start) || isTimestamp(whole))) return;
  yield { kind, start, end, key: keyOf(kind, text.slice(start, end)) };
}

function keyOf(kind: RedactedKind, value: string): string {
  if (kind === 'secret') return value;
  return kind === 'iban' ? ibanKey(value) : value.replaceAll(/\D/g, '');
}
