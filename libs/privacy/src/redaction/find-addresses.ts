import { allMatches } from '@clew/kernel';
import { cityBefore, addressEnd } from './address-parts.ts';
import { hasDigit } from './searchable.ts';
import type { Span } from './span.ts';
import { europeanStreet, isStreetName, streetSuffixOf } from './street-words.ts';

const HOUSE_NUMBER =
  /(?<![\p{L}\p{N}_#$€£./-]|\d,)\d{1,6}[A-Za-z]?(?:[-–/]\d{1,5}[A-Za-z]?)?(?=(?:,? {1,2}|\u00a0)[\p{L}\d])/gu;
const WORD = /^(?:,? {1,2}|\u00a0)([\p{L}\p{N}](?:[\p{L}\p{N}'’-]{0,30}[\p{L}\p{N}])?)(\.?)/u;
const NUMBERED_WORD =
  /(?<![\p{L}\p{N}_.-])\p{L}[\p{L}.-]{1,58},? {0,2}\d{1,4}(?: ?[a-z](?![\p{L}\p{N}-]))?(?: ?[-–/] ?\d{1,4}[a-z]?)?(?![\p{L}\p{N}]|[.,]\d)/giu;
const ROMANCE: readonly RegExp[] = [
  /(?<![\p{L}\p{N}_#$€£.,/-])\d{1,4}(?: ?(?:bis|ter|quater))?,? {1,2}(?:[Rr]ue (?:(?:de|du|des|la|le|les) |[ld]['’]){0,3}\p{L}|(?:[Aa]venue|[Aa]v\.|[Bb]oulevard|[Bb]d|[Pp]lace|[Ii]mpasse|[Aa]llée|[Cc]hemin|[Qq]uai|[Rr]oute|[Ss]quare|[Pp]assage) (?:(?:de|du|des|la|le|les) |[ld]['’]){0,3}\p{Lu})[\p{L}'’-]{1,30}(?: (?:(?:de|du|des|la|le|les) )?\p{Lu}[\p{L}'’-]{1,30}){0,3}(?![\p{L}\p{N}])/gu,
  /(?<![\p{L}\p{N}_])(?:Calle|C\/|Avenida|Avda\.|Paseo|Plaza|Via|Viale|Piazza|Corso|Largo) ?(?!Email|E-Mail|Sms|Phone|App|Api|Pay|Web|Chat)(?:(?:de|del|della|dei|la|las|los|el|di) ){0,3}\p{Lu}[\p{L}'’-]{1,30}(?: (?:(?:de|del|la|y) )?\p{Lu}[\p{L}'’-]{1,30}){0,3},? (?:n[º°.] ?)?\d{1,4}(?![\p{L}\p{N}.,:/-])/gu,
];
const OTHER: readonly RegExp[] = [
  /(?<![\p{L}\p{N}_])P\.? ?O\.? ?Box (?:#|no\.? )?\d{1,6}(?!\d)|(?<![\p{L}\p{N}_])Postfach \d{1,3}(?: ?\d{2,3}){0,2}(?!\d)/giu,
  /(?<![\p{L}\p{N}_#$€£.,/-])\d{1,5} (?:(?:N|S|E|W|North|South|East|West)\.? )?(?:Broadway(?! [Ss]how)|Avenue (?:of the Americas|[A-Z](?![\p{L}\p{N}])))/gu,
  /(?<=(?:[Aa]ddress|ADDRESS|[Ss]treet|(?<!\p{L})(?:[Aa]ddr|[Ll]ine(?=[ _]?\d)))[\w ]{0,3}["'`]{0,2}(?::| is|=) {0,2}["'`]{0,2})\d{1,6}[A-Za-z]?(?: [\p{Lu}\d][\p{L}\d'’.-]{0,30}){1,5}(?![\p{L}\p{N}_@])/gu,
];
/** Rooms, which may have a letter for a number. */
const ROOMS: readonly RegExp[] = [
  /(?<=(?:address|street|(?<!\p{L})(?:addr|line(?=[ _]?\d)))[\w ]{0,3}["'`]{0,2}(?::|=) {0,2}["'`]{0,2})(?:suite|ste|apt|apartment|unit|flat|floor|room)\.? #?(?:[a-z]?\d{1,5}[a-z]?|[a-z])(?![\p{L}\p{N}_@])/giu,
];

/** Finds postal addresses: a street with a number, and with it the apartment, the city and the postcode around it. */
export function* findAddresses(text: string): Generator<Span> {
  if (hasDigit(text)) yield* numberedStreets(text);
  for (const pattern of hasDigit(text) ? [...ROMANCE, ...OTHER, ...ROOMS] : ROOMS) {
    for (const { 0: found, index } of allMatches(text, pattern)) yield spanAt(text, index, index + found.length, found);
  }
}

function* numberedStreets(text: string): Generator<Span> {
  for (const { 0: number, index } of allMatches(text, HOUSE_NUMBER)) {
    const end = index + number.length;
    // A year begins a sentence about a place: Founded in 1985, Union Square Cafe.
    if (/^(?:1[6-9]|20)\d{2}$/.test(number) && text.charAt(end) === ',') continue;
    const street = englishStreet(text.slice(end, end + 100));
    if (street !== undefined) yield spanAt(text, index, end + street.length, number + street.key);
  }
  for (const { 0: found, index } of allMatches(text, NUMBERED_WORD)) {
    const [word = ''] = /^[\p{L}.-]{1,60}/u.exec(found) ?? [];
    const kind = europeanStreet(word);
    if (kind === undefined || (!word.endsWith('.') && /^\d/.test(found.slice(word.length)))) continue;
    const [first = ''] =
      kind === 'end'
        ? (/(?:\p{Lu}[\p{L}.-]{1,25} ){1,2}$/u.exec(text.slice(Math.max(0, index - 56), index)) ?? [])
        : [];
    if (kind === 'whole' || first !== '') yield spanAt(text, index - first.length, index + found.length, first + found);
  }
}

function spanAt(text: string, start: number, streetEnd: number, street: string): Span {
  return {
    kind: 'address',
    start: start - cityBefore(text.slice(Math.max(0, start - 60), start)),
    end: streetEnd + addressEnd(text.slice(streetEnd, streetEnd + 200)),
    key: streetKey(street),
  };
}

/** Makes one form of the ways in which a street is written. */
function streetKey(street: string): string {
  return street
    .toLowerCase()
    .replaceAll(/stra(?:ß{1,20}|ss)e|str\./gu, 'str')
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Reads the name of a street behind a house number. */
function englishStreet(behind: string): { length: number; key: string } | undefined {
  const words: string[] = [];
  let length = 0;
  while (words.length < 7) {
    const [all = '', word = '', point] = WORD.exec(behind.slice(length)) ?? [];
    if (all === '' || (/^\d+$/.test(word) && words.length > 0)) return undefined;
    const suffix = streetSuffixOf(word);
    const end = length + all.length;
    if (suffix !== undefined && isStreetName(words, suffix, behind.slice(end))) {
      // The point of a short form is part of the address, the one at the end of a sentence is not.
      const isSentenceEnd = point === '.' && suffix === word.toLowerCase();
      return { length: isSentenceEnd ? end - 1 : end, key: [...words, suffix].join('') };
    }
    words.push(word);
    length = end;
  }
  return undefined;
}
