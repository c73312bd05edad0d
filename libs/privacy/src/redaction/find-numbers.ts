import { allMatches } from '@clew/kernel';
import { hasDigit } from './searchable.ts';
import type { Span } from './span.ts';

/** Cards as they are printed, and numbers without separators. The next group is often the date until which it is valid. */
const CARDS =
  /(?<![\p{L}\p{N}])(?:[2-6]\d{3}([ .\u00a0-])\d{4}\1\d{4}\1\d{4}|3[0-9]\d{2}([ .\u00a0-])\d{6}\2\d{4,5}|[2-6]\d{12,18})(?![\p{L}\p{N}])/gu;
const IBANS = /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?:[ \u00a0-]?[A-Z\d]){11,30}/giu;
/** Lengths of account numbers by country. */
const IBAN_LENGTHS: ReadonlyMap<string, number> = new Map(
  [
    'NO15 BE16 DK18 FI18 FO18 GL18 NL18 MK19 SI19 AT20 BA20 EE20 KZ20 LT20 LU20 XK20 CH21 HR21 LI21 LV21 BG22 BH22',
    'CR22 DE22 GB22 GE22 IE22 ME22 RS22 VA22 AE23 GI23 IL23 IQ23 TL23 AD24 CZ24 MD24 PK24 RO24 SA24 SE24 SK24 TN24',
    'VG24 ES24 PT25 AZ28 CY28 DO28 GT28 HU28 LB28 PL28 SV28 AL28 BY28 GR27 FR27 IT27 MC27 MR27 SM27 BR29 EG29 PS29',
    'QA29 UA29 JO30 KW30 TR26 MU30 MT31 LC32',
  ].flatMap((line) => line.split(' ').map((entry): [string, number] => [entry.slice(0, 2), Number(entry.slice(2))])),
);
const SOCIAL_SECURITY =
  /(?<![\p{L}])(?:ssn|social[ _-]?security(?:[ _-]?(?:number|no\.?|#))?)[\W_]{0,4}(?:is|are|of)?[\W_]{0,4}(\d{3}[ -]?\d{2}[ -]?\d{4})(?!\d)/giu;

/** Finds payment cards, bank accounts and labelled social security numbers in a text. */
export function* findNumbers(text: string): Generator<Span> {
  if (!hasDigit(text)) return;
  for (const { 0: card, index } of allMatches(text, CARDS)) {
    const key = card.replaceAll(/\D/g, '');
    if (isCard(key) && !isOtherNumber(text, index) && !isTimestamp(card))
      yield { kind: 'card', start: index, end: index + card.length, key };
  }
  for (const { 0: found, index } of allMatches(text, IBANS)) {
    const iban = ibanAtStart(found);
    if (iban !== undefined && !/[\p{L}\p{N}]/u.test(text.charAt(index + iban.length))) {
      yield { kind: 'iban', start: index, end: index + iban.length, key: ibanKey(iban) };
    }
  }
  for (const { 0: found, 1: number = '', index } of allMatches(text, SOCIAL_SECURITY)) {
    const end = index + found.length;
    yield { kind: 'ssn', start: end - number.length, end, key: number.replaceAll(/\D/g, '') };
  }
}

/** Tells whether the digits at a place belong to a number: 0.4539578763621486, or -470829797804157100 in JSON. */
export function isOtherNumber(text: string, start: number): boolean {
  return /(?:\d[.,]|[:[,] ?-)$/.test(text.slice(Math.max(0, start - 3), start));
}

/** Tells whether digits are a date and a time, like 20160223171404. */
export function isTimestamp(digits: string): boolean {
  return /^20\d{2}(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])(?:[01]\d|2[0-3])[0-5]\d[0-5]\d(?:\d{3})?$/.test(digits);
}

/** Makes one form of the ways in which an account number is written. */
export function ibanKey(iban: string): string {
  return iban.replaceAll(/[^a-z\d]/gi, '').toUpperCase();
}

/** Checks the check digit of payment cards (Luhn). */
function isCard(digits: string): boolean {
  if (/^(\d)\1{12,18}$/.test(digits)) return false;
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const value = Number(digits.charAt(digits.length - 1 - index)) * (index % 2 === 1 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}

/** Cuts the words behind an account number off, which look like more of it. */
function ibanAtStart(found: string): string | undefined {
  const length = IBAN_LENGTHS.get(found.slice(0, 2).toUpperCase()) ?? 0;
  let end = 0;
  for (let count = 0; end < found.length && count < length; end += 1) {
    if (/[a-z\d]/i.test(found.charAt(end))) count += 1;
  }
  const iban = found.slice(0, end);
  const key = ibanKey(iban);
  if (length === 0 || key.length !== length) return undefined;
  let rest = 0;
  for (const character of key.slice(4) + key.slice(0, 4)) {
    rest = Number(`${rest}${Number.parseInt(character, 36)}`) % 97;
  }
  return rest === 1 ? iban : undefined;
}
