import { MASK_OF_CATEGORY, MASK_CATEGORIES, type MaskingSettings } from '@clew/contracts';
import { findAddresses } from '../redaction/find-addresses.ts';
import { findEmails } from '../redaction/find-emails.ts';
import { findNumbers } from '../redaction/find-numbers.ts';
import { findPhones } from '../redaction/find-phones.ts';
import { findSecrets } from '../redaction/find-secrets.ts';
import { createPlaceholders } from '../redaction/placeholders.ts';
import { NEIGHBOUR } from '../redaction/redactor.ts';
import type { RedactedKind, Span } from '../redaction/span.ts';
import { mapString, mapValue, type TextMap } from './map-texts.ts';
import { maskOf, masksOf, splitAtMasks } from './masks.ts';
import { findOwn, type MaskedPart } from './own-patterns.ts';
import { readEscapes } from './read-escapes.ts';

/** Masks secrets and personal data: the same text always in the same way, and a masked one not again. */
export interface Masker {
  text(text: string): string;
  /**
   * Masks in all texts and numbers of a JSON value. A secret that a word gives away in one place is masked in all
   * others of the value, too.
   */
  value(value: unknown): unknown;
}

/** Shortest text that is looked at: a security code has three digits. */
const MIN_LENGTH = 3;
const WHOLE_NUMBER = /^\d{3,19}$/;
const HAS_WORD = /[\p{L}\p{N}]/u;
const MAX_LABEL = 60;
/** Passes over a text, of which two or three are needed. */
const MAX_PASSES = 30;
/** Texts that are remembered, in characters: spans repeat the messages before them. */
const MAX_REMEMBERED = 1_000_000;
/** Mask of a text whose masks would be far longer than itself: an own pattern may match each letter. */
const WHOLE_TEXT = maskOf('text');
const MAX_GROWTH = 2;
const ALLOWED_GROWTH = 1_000;

/** Short word of letters: shorter than every key, and without the sign or the digit that all else has. */
const PLAIN_WORD = /^[A-Za-z_.]{1,14}$/;

function isPlainWord(text: string): boolean {
  return text.length < 15 && PLAIN_WORD.test(text);
}

interface MaskedText {
  readonly text: string;
  readonly secrets: readonly Span[];
}

/** Creates the masker of a project. It remembers texts, so it is used for many values. */
export function createMasker(settings: MaskingSettings): Masker {
  const search = createSearch(settings);
  const masks = masksOf(settings.patterns).add(WHOLE_TEXT);
  const known = new Map<string, Map<string, MaskedText>>();
  const isPlain = settings.patterns.length === 0 ? isPlainWord : () => false;
  let knownLength = 0;

  const masked = (given: string, label: string): MaskedText => {
    const remembered = known.get(label)?.get(given);
    if (remembered !== undefined) return remembered;
    const result = maskText(given, label, masks, search);
    knownLength += given.length + result.text.length;
    if (knownLength > MAX_REMEMBERED) {
      known.clear();
      knownLength = 0;
    }
    const ofLabel = known.get(label) ?? new Map<string, MaskedText>();
    known.set(label, ofLabel.set(given, result));
    return result;
  };

  const mapOf = (secrets: Span[]): TextMap => {
    const text = (given: string, label: string) => {
      if (given.length < MIN_LENGTH || isPlain(given)) return given;
      const result = masked(given, label);
      if (result.secrets.length > 0) secrets.push(...result.secrets);
      return result.text;
    };
    return {
      text,
      number(written, label) {
        // A fraction and a negative number are none of what is looked for, whatever their digits.
        if (!WHOLE_NUMBER.test(written)) return undefined;
        const by = text(written, label);
        return by === written ? undefined : by;
      },
    };
  };

  return {
    text: (text) => mapString(mapOf([]), text),
    value(value) {
      const secrets: Span[] = [];
      const once = mapValue(mapOf(secrets), value);
      return secrets.length === 0 ? once : mapValue(againMap(secrets, masks), once);
    },
  };
}

/** Masks text that is no JSON, until nothing more is found in it. */
function maskText(given: string, label: string, masks: ReadonlySet<string>, search: Search): MaskedText {
  const secrets: Span[] = [];
  let before = given;
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const parts = splitAtMasks(before, masks);
    const after = parts
      .map((part, index) => {
        if (index % 2 === 1 || !HAS_WORD.test(part)) return part;
        const lead = index > 0 ? NEIGHBOUR : label === '' ? '' : `${label.slice(-MAX_LABEL)}: "`;
        return maskPart({ part, lead, tail: index < parts.length - 1 ? NEIGHBOUR : '' }, search, secrets);
      })
      .join('');
    if (after.length > MAX_GROWTH * given.length + ALLOWED_GROWTH) return { text: WHOLE_TEXT, secrets };
    if (after === before) break;
    before = after;
  }
  return { text: before, secrets };
}

interface Search {
  builtIn(text: string): Span[];
  own(text: string): MaskedPart[];
  isAllowed(value: string): boolean;
}

function createSearch({ builtIn, patterns, allow }: MaskingSettings): Search {
  const wanted = new Set<RedactedKind>(
    MASK_CATEGORIES.filter((category) => builtIn[category]).map((category) => MASK_OF_CATEGORY[category]),
  );
  const finders: { kinds: RedactedKind[]; find: (text: string) => Iterable<Span> }[] = [
    { kinds: ['secret', 'card', 'iban', 'ssn'], find: findSecrets },
    { kinds: ['email'], find: findEmails },
    { kinds: ['card', 'iban', 'ssn'], find: findNumbers },
    { kinds: ['address'], find: findAddresses },
    { kinds: ['phone'], find: (text) => findPhones(text, () => false) },
  ];
  const used = finders.filter(({ kinds }) => kinds.some((kind) => wanted.has(kind)));
  const values = new Set(allow.map((value) => value.toLowerCase()));
  return {
    builtIn: (text) => used.flatMap(({ find }) => [...find(text)].filter(({ kind }) => wanted.has(kind))),
    own: (text) => (patterns.length === 0 ? [] : findOwn(text, patterns)),
    isAllowed(value) {
      if (values.size === 0) return false;
      const lower = value.toLowerCase();
      return values.has(lower) || values.has(lower.slice(Math.max(0, lower.indexOf('@'))));
    },
  };
}

interface Part {
  readonly part: string;
  /** Text in front of it: the name of its member, or a sign that a mask stands there. */
  readonly lead: string;
  readonly tail: string;
}

function maskPart({ part, lead, tail }: Part, { builtIn, own, isAllowed }: Search, secrets: Span[]): string {
  const written = lead + part + tail;
  const read = readEscapes(written);
  const end = lead.length + part.length;
  const found: Found[] = builtIn(read.text)
    .map((value) => ({ value, mask: maskOf(value.kind), start: read.at(value.start), end: read.at(value.end) }))
    .filter(({ value, start }) => value.kind !== 'email' || written.charAt(start) !== '@');
  const ofOwn = own(part).map((span) => ({
    mask: span.mask,
    start: span.start + lead.length,
    end: span.end + lead.length,
  }));
  const kept = apart(
    [...found, ...ofOwn].filter((span) => !isAllowed(written.slice(span.start, span.end))),
    written.length,
  );
  let masked = '';
  let from = lead.length;
  for (const span of kept) {
    const start = Math.max(span.start, from);
    const until = Math.min(span.end, end);
    if (start >= until) continue;
    if (span.value?.kind === 'secret') secrets.push(span.value);
    masked += written.slice(from, start) + inJson(span.mask, written, { start, end: until });
    from = until;
  }
  return masked + written.slice(from, end);
}

interface Found extends MaskedPart {
  /** Value that a built-in detector found. */
  readonly value?: Span;
}

/** Keeps the parts that overlap none before them in the list, in the order of the text. */
function apart(found: readonly Found[], length: number): Found[] {
  if (found.length < 2) return [...found];
  const taken = new Uint8Array(length);
  const kept = found.filter(({ start, end }) => {
    if (taken.subarray(start, end).includes(1)) return false;
    taken.fill(1, start, end);
    return true;
  });
  return kept.toSorted((left, right) => left.start - right.start);
}

/** Quotes a mask that stands for a number in the text of JSON that was cut, and may be made whole by its reader. */
function inJson(mask: string, text: string, { start, end }: { start: number; end: number }): string {
  const quote = /[\p{L}\p{N}_-](\\{0,8}")\s{0,4}:\s{0,4}$/u.exec(text.slice(Math.max(0, start - 20), start))?.[1];
  const isNumber = quote !== undefined && /^\s{0,8}[,}\]\n]/.test(text.slice(end, end + 10));
  return isNumber ? quote + mask + quote : mask;
}

/** Masks the secrets that are known from another place of the value, where no word says what they are. */
function againMap(found: readonly Span[], masks: ReadonlySet<string>): TextMap {
  const placeholders = createPlaceholders();
  for (const span of found) placeholders.of(span);
  const part = (text: string) => {
    let masked = '';
    let from = 0;
    for (const { kind, start, end } of placeholders.findSecretsAgain(text)) {
      masked += text.slice(from, start) + maskOf(kind);
      from = end;
    }
    return masked + text.slice(from);
  };
  const text = (given: string) =>
    splitAtMasks(given, masks)
      .map((one, index) => (index % 2 === 1 ? one : part(one)))
      .join('');
  return { text, number: () => undefined };
}
