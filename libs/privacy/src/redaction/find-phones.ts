import { allMatches } from '@clew/kernel';
import { phoneSignOf } from './phone-words.ts';
import { hasDigit } from './searchable.ts';
import type { Span } from './span.ts';

const INTERNATIONAL =
  /(?<![\p{L}\p{N}_+])(?:\+|(?<![.,)/#=-])00)[1-9](?:[ ./()\u00a0\u2011\u2013-]{0,3}\d){7,14}(?![\p{L}\p{N}_])/gu;
/** Numbers of North America: (555) 123-4567, 1-800-555-0199, 555.123.4567 ext. 12. */
const AMERICAN =
  /(?<![\p{L}\p{N}_#$€£+.-]|[\p{L}:/_=-]\/)(?:1[ .-])?(?:\(\d{3}\)[ .-]?\d{3}[ .\u2011-]|\d{3}([.\u2011-])\d{3}\1)\d{4}(?:,? ?(?:x|ext\.?|extension) ?\d{1,6})?(?![\p{L}\p{N}_]|[.-]\d)/giu;
const ANY =
  /(?<![\p{L}\p{N}_#$€£+-]|[\p{L}:/_=-]\/|\d[.,])\(?\d(?:[ ./()\u00a0\u2011\u2013-]{0,3}\d){6,14}(?![\p{L}\p{N}_]|[.,-]\d)/gu;
/** National numbers that nothing else is written like: 030 1234567, 06 12 34 56 78, 0170/1234567. */
const NATIONAL = /^(?:\(?0[1-9]\d{1,3}\)?[ /\u00a0-]{1,3}\d{3,4}(?:[ \u00a0-]?\d{2,5}){0,2}|0[1-9](?:[ .-]\d{2}){4})$/;
const COMMON_COUNTRY = /^00(?:1|3[0-69]|4[013-9]|5[1-8]|6[0-6]|7|8[1246]|9[0-58]|35[1-9]|42[01])/;
const UNIT_BEHIND = /^ ?(?:%|€|\$|£|(?:usd|eur|gbp|dollars?|euros?|points?|users?|items?|bytes?|ms|km|kg)(?!\p{L}))/iu;
const BETWEEN_PHONES = /^[\s,;/"]{0,3}(?:(?:and|or|und|oder|ou|et)[\s"]{1,2})?$/;

/** Finds phone numbers in a text: forms that are clear by themselves, and others where a word says so. */
export function* findPhones(text: string, isKnown: (key: string) => boolean): Generator<Span> {
  if (!hasDigit(text)) return;
  for (const { 0: found, index } of allMatches(text, INTERNATIONAL)) {
    const phone = found.startsWith('+') ? withinPlan(found) : found;
    const isClear = found.startsWith('+') || COMMON_COUNTRY.test(found);
    const digits = found.replaceAll(/\D/g, '').length;
    if (!isClear || (found.startsWith('00') && digits < 12)) continue;
    if (!UNIT_BEHIND.test(text.slice(index + phone.length, index + phone.length + 12))) yield spanAt(index, phone);
  }
  for (const { 0: found, index } of allMatches(text, AMERICAN)) {
    if (signAt(text, index, found) !== 'other') yield spanAt(index, found);
  }
  let lastEnd = -1;
  for (const { 0: found, index } of allMatches(text, ANY)) {
    if (isOtherForm(found) || UNIT_BEHIND.test(text.slice(index + found.length, index + found.length + 12))) continue;
    const sign = signAt(text, index, found);
    if (sign === 'other') continue;
    const isNext = lastEnd !== -1 && index - lastEnd < 12 && BETWEEN_PHONES.test(text.slice(lastEnd, index));
    if (sign !== 'phone' && !isNext && !isNational(found) && !isKnown(phoneKey(found))) continue;
    lastEnd = index + found.length;
    yield spanAt(index, found);
  }
}

function signAt(text: string, index: number, found: string): ReturnType<typeof phoneSignOf> {
  const end = index + found.length;
  return phoneSignOf(text.slice(Math.max(0, index - 70), index), text.slice(end, end + 40));
}

function spanAt(start: number, phone: string): Span {
  return { kind: 'phone', start, end: start + phone.length, key: phoneKey(phone) };
}

/** Makes one form of the ways in which a number is dialled: no prefix for abroad, none for North America. */
function phoneKey(phone: string): string {
  const [dialled = ''] = phone.split(/,? ?[a-z]/i);
  const digits = dialled.replaceAll(/\D/g, '').replace(/^00/, '');
  return digits.length === 11 && digits.startsWith('1') ? digits.slice(1) : digits;
}

/** Cuts a number of North America after its ten digits: the digits behind it count something. */
function withinPlan(phone: string): string {
  if (!phone.startsWith('+1')) return phone;
  let end = 0;
  for (let digits = 0; end < phone.length && digits < 11; end += 1) if (/\d/.test(phone.charAt(end))) digits += 1;
  return phone.slice(0, end);
}

function isNational(found: string): boolean {
  const digits = found.replaceAll(/\D/g, '').length;
  return digits >= 9 && digits <= 12 && NATIONAL.test(found) && !/^\d{3,5}-\d{2,5}-/.test(found);
}

/** Tells whether a number is written like a date, a time or the address of a machine. */
function isOtherForm(found: string): boolean {
  return (
    /^(?:19|20)\d{2}([-./ ]?)(?:0[1-9]|1[0-2])\1(?:[0-2]\d|3[01])(?!\d)/.test(found) ||
    /^\d{1,2}([-./])\d{1,2}\1(?:19|20)\d{2}(?!\d)/.test(found) ||
    /^\d{1,3}(?:\.\d{1,3}){3}$/.test(found)
  );
}
