import {
  KNOWLEDGE_AUTHORITIES,
  KNOWLEDGE_KINDS,
  MAX_EVIDENCE_OF_ITEM,
  MAX_ITEMS_OF_EXTRACTION,
  REJECTION_REASONS,
  type ConversationMessage,
  type ExtractedItem,
  type KnowledgeEvidence,
  type KnowledgeSources,
  type RejectionReason,
  type Rejections,
} from '@clew/contracts';
import { isFoundedOn, mayFollow, mayHead, mentionedIn, peopleOf, type Mentioned, type People } from './follows.ts';
import { foldedText } from './folded-text.ts';
import { endOfDate, isDated, startOfDate } from './item-dates.ts';
import { listenersIn, type ListenerOf } from './listeners.ts';
import { lockQuote, type TextRange } from './quote-lock.ts';
import { quotedWords, type QuotedWords } from './quoted-words.ts';
import { subjectOf } from './subjects.ts';
import { isTainted, PARTICIPANTS_ONLY, promptHashOf } from './trust.ts';

/** Item that a model claims to have extracted from a conversation. None of it is trusted. */
export interface ClaimedItem {
  title: string;
  content: string;
  kind: string;
  confidence: number;
  authority: string;
  subject?: { kind: string; name: string } | null | undefined;
  validFrom?: string | null | undefined;
  validUntil?: string | null | undefined;
  evidence: readonly { messageIndex: number; quote: string }[];
}

/** Part of a message that a model was shown. */
export interface ShownPart {
  message: ConversationMessage;
  range: TextRange;
}

export interface AcceptedItems {
  /** Items whose quotes, numbers and names hold. */
  items: ExtractedItem[];
  /** Those of them whose other words do not show that they follow, so that only a model that can judge may keep them. */
  doubtful: ReadonlySet<ExtractedItem>;
  rejected: Rejections;
}

type Kind = ExtractedItem['kind'];
type Authority = ExtractedItem['authority'];
interface Locked {
  evidence: KnowledgeEvidence;
  message: ConversationMessage;
  isTainted: boolean;
}

/** Facts about the messages that a model was shown. */
interface Shown {
  shown: readonly ShownPart[];
  people: People;
  sources: KnowledgeSources;
  mentioned: Mentioned;
  listenerOf: ListenerOf;
}

const MAX_TITLE_LENGTH = 200;
const MAX_HEADING_WORDS = 9;
const MAX_HEADING_LENGTH = 80;
const MAX_CONTENT_LENGTH = 4_000;
const AUTHORITY_OF_ROLE: Readonly<Record<ConversationMessage['role'], Authority>> = {
  user: 'user_stated',
  tool: 'tool_observed',
  assistant: 'assistant_inferred',
  system: 'project_stated',
};
/** Kinds of which only a participant can speak: about themselves, or about earlier statements. */
const KINDS_OF_USERS: ReadonlySet<Kind> = new Set(['preference', 'correction']);

/** Accepts the claims of a model that qualify as Knowledge, and counts the others by reason. */
export function acceptItems(
  claimed: readonly ClaimedItem[],
  shown: readonly ShownPart[],
  sources: KnowledgeSources = PARTICIPANTS_ONLY,
): AcceptedItems {
  const items: ExtractedItem[] = [];
  const doubtful = new Set<ExtractedItem>();
  const rejected: Rejections = {};
  const people = peopleOf(shown.map(({ message }) => message).filter(({ role }) => role !== 'tool'));
  const messages = [...new Set(shown.map(({ message }) => message))];
  const mentioned = onceOnly(() => mentionedIn(messages, (message, range) => isTainted(message, range, sources)));
  const about = { shown, people, sources, mentioned, listenerOf: listenersIn(messages) };
  for (const claim of claimed) {
    const accepted = items.length < MAX_ITEMS_OF_EXTRACTION ? acceptItem(claim, about) : 'too_many';
    if (typeof accepted === 'string') reject(rejected, accepted);
    else {
      items.push(accepted.item);
      if (accepted.isDoubtful) doubtful.add(accepted.item);
    }
  }
  return { items, doubtful, rejected };
}

/** Counts rejections by reason. */
export function reject(rejected: Rejections, reason: RejectionReason, count = 1): void {
  if (count > 0) rejected[reason] = (rejected[reason] ?? 0) + count;
}

/** Adds up rejections by reason. */
export function addedUp(some: Readonly<Rejections>, others: Readonly<Rejections>): Rejections {
  const sum = { ...some };
  for (const reason of REJECTION_REASONS) reject(sum, reason, others[reason] ?? 0);
  return sum;
}

/** Counts all rejections. */
export function countOf(rejected: Readonly<Rejections>): number {
  return Object.values(rejected).reduce((sum, count) => sum + count, 0);
}

/**
 * Accepts one claim, or returns the reason for its rejection. Each quote must be locked; only untainted quotes support
 * it, and it has no number and no name that they lack.
 */
function acceptItem(
  claim: ClaimedItem,
  { shown, people, sources, mentioned, listenerOf }: Shown,
): { item: ExtractedItem; isDoubtful: boolean } | RejectionReason {
  const { confidence, evidence } = claim;
  const kind = KNOWLEDGE_KINDS.find((known) => known === claim.kind);
  const authority = KNOWLEDGE_AUTHORITIES.find((known) => known === claim.authority);
  const [title, content] = [claim.title, claim.content].map((text) => text.toWellFormed().trim()) as [string, string];
  if (kind === undefined || authority === undefined || !(confidence >= 0 && confidence <= 1)) return 'malformed';
  if (content === '' || content.length > MAX_CONTENT_LENGTH) return 'malformed';
  if (evidence.length === 0 || evidence.length > MAX_EVIDENCE_OF_ITEM) return 'malformed';
  const locked: Locked[] = [];
  for (const { messageIndex, quote } of evidence) {
    const found = lockInShown({ messageIndex, quote }, shown, sources);
    if (typeof found === 'string') return found;
    locked.push(found);
  }
  const trusted = onceEach(locked.filter((each) => !each.isTainted));
  if (trusted.length === 0) return 'tainted';
  const quotes = quotesOf(trusted, listenerOf);
  if (!isFoundedOn(content, quotes, people, mentioned))
    return trusted.length < locked.length ? 'tainted' : 'not_supported';
  const isOf = (role: ConversationMessage['role']) => trusted.some(({ message }) => message.role === role);
  return {
    isDoubtful: !mayFollow(content, quotes, people),
    item: {
      title: titleOf(title, content, (text) => mayHead(text, [...quotes, { text: content }], people)),
      content,
      kind: kindOf(kind, isOf),
      confidence,
      authority: carriedAuthority(content, trusted, people),
      evidence: trusted.map((each) => each.evidence),
      subject: subjectOf(claim.subject, quotes),
      ...validityOf(claim, quotes),
    },
  };
}

/** Kind of an item, by who speaks of it: a system prompt states policies, and only users speak of themselves. */
function kindOf(kind: Kind, isOf: (role: ConversationMessage['role']) => boolean): Kind {
  if (isOf('system')) return 'policy';
  return KINDS_OF_USERS.has(kind) && !isOf('user') ? 'fact' : kind;
}

/** Dates between which an item holds, as far as the quotes tell them. */
export function validityOf(
  { validFrom, validUntil }: Pick<ClaimedItem, 'validFrom' | 'validUntil'>,
  quotes: readonly QuotedWords[],
): Pick<ExtractedItem, 'validFrom' | 'validUntil'> {
  const from = validFrom != null && isDated(validFrom, quotes) ? validFrom : undefined;
  const until = validUntil != null && isDated(validUntil, quotes) ? validUntil : undefined;
  const isOrdered = (startOfDate(from ?? '') ?? -Infinity) < (endOfDate(until ?? '') ?? Infinity);
  if (!isOrdered) return {};
  return { ...(from === undefined ? {} : { validFrom: from }), ...(until === undefined ? {} : { validUntil: until }) };
}

function onceOnly<Value>(compute: () => Value): () => Value {
  let known: { value: Value } | undefined;
  return () => (known ??= { value: compute() }).value;
}

/** Locks the quote in the named message, in a part of it that was shown, and nowhere else. */
function lockInShown(
  { messageIndex, quote }: ClaimedItem['evidence'][number],
  shown: readonly ShownPart[],
  sources: KnowledgeSources,
): Locked | 'unknown_message' | 'quote_not_found' {
  const parts = shown.filter(({ message }) => message.index === messageIndex);
  if (parts.length === 0) return 'unknown_message';
  for (const { message, range } of parts) {
    const place = lockQuote(message.content, quote, range);
    if (place === undefined) continue;
    const { traceId, spanId, role, content } = message;
    const prompt = role === 'system' ? { promptHash: promptHashOf(content) } : {};
    return {
      evidence: { traceId, spanId, messageIndex, quote, startChar: place.start, endChar: place.end, ...prompt },
      ...{ message, isTainted: isTainted(message, place, sources) },
    };
  }
  return 'quote_not_found';
}

/**
 * Returns the authority of a claim, by who said it: the highest role whose quotes suffice without the others; the lowest
 * of all if none does. What the model says of it does not count.
 */
function carriedAuthority(content: string, trusted: readonly Locked[], people: People): Authority {
  const authorityOf = ({ message }: Locked) => AUTHORITY_OF_ROLE[message.role];
  const alone = KNOWLEDGE_AUTHORITIES.find((authority) =>
    mayFollow(content, quotesOf(trusted.filter((each) => authorityOf(each) === authority)), people),
  );
  return alone ?? trusted.map(authorityOf).reduce(lowerOf);
}

/** `KNOWLEDGE_AUTHORITIES` is ordered from the highest to the lowest. */
function lowerOf(left: Authority, right: Authority): Authority {
  return KNOWLEDGE_AUTHORITIES.indexOf(left) > KNOWLEDGE_AUTHORITIES.indexOf(right) ? left : right;
}

/** Uses the model's title if it names no more than the quotes and is not the content again; otherwise a heading from it. */
function titleOf(title: string, content: string, mayHeadIt: (text: string) => boolean): string {
  const isUsable = title !== '' && title.length <= MAX_TITLE_LENGTH && alike(title) !== alike(content);
  return isUsable && mayHeadIt(title) ? title : headingOf(content);
}

/** Words with which a text begins, as a heading. */
function headingOf(content: string): string {
  const words = content.split(/\s+/);
  const isWhole = words.length <= MAX_HEADING_WORDS && content.length <= MAX_HEADING_LENGTH;
  if (isWhole) return content.endsWith('.') ? content.slice(0, -1) : content;
  // A cut inside a surrogate pair would leave half a character.
  const beginning = words.slice(0, MAX_HEADING_WORDS).join(' ').slice(0, MAX_HEADING_LENGTH);
  return `${beginning.replace(/[\ud800-\udbff]$/, '')} …`;
}

function alike(text: string): string {
  return foldedText(text)
    .replace(/[^\p{L}\p{Nd}]+/gu, ' ')
    .trim();
}

function quotesOf(locked: readonly Locked[], listenerOf?: ListenerOf): QuotedWords[] {
  return locked.map(({ evidence, message }) => quotedWords(evidence.quote, message, listenerOf));
}

function onceEach(locked: readonly Locked[]): Locked[] {
  const byPlace = new Map(
    locked.map((each) => [`${each.evidence.messageIndex}:${each.evidence.startChar}:${each.evidence.endChar}`, each]),
  );
  return [...byPlace.values()];
}
