import type { KnowledgeItem } from '@clew/contracts';
import { interval, resampled, rounded } from '../figures/resample.ts';
import { mentionsAll } from './mentions.ts';

type Kind = KnowledgeItem['kind'];

interface Place {
  readonly messageIndex: number;
  readonly startChar: number;
  readonly endChar: number;
}

/** Statement that a conversation teaches. Each of its places is sufficient evidence. */
export interface TaughtLabel {
  readonly kind: Kind;
  readonly places: readonly (Place & { readonly mentions: readonly string[] })[];
}

export interface LabelledKnowledge {
  readonly conversationId: string;
  readonly labels: readonly TaughtLabel[];
}

/** Judged members of an item. */
export interface JudgedItem {
  readonly kind: Kind;
  readonly content: string;
  readonly sourceConversationId: string;
  readonly evidence: readonly (Place & { readonly conversationId: string })[];
}

export interface Share {
  readonly of: number;
  readonly share: number | null;
  /** Central 95% of the shares over resampled conversations. */
  readonly overConversations: readonly [number, number];
  /** Wilson 95% interval: it shows uncertainty even where all or none are right and resampling shows none. */
  readonly wilson: readonly [number, number];
}

export interface KnowledgeFigures {
  /** Items that state what a label states, as a share of all items. */
  readonly precision: Share & { readonly right: number };
  /** Labels that some item states, as a share of all labels. */
  readonly recall: Share & { readonly found: number };
  /** Right items whose kind is that of one of their labels. */
  readonly sameKind: number;
  readonly byKind: Readonly<Partial<Record<Kind, { labels: number; found: number }>>>;
}

/** Counts of one conversation. */
interface Tally {
  items: number;
  right: number;
  labels: number;
  found: number;
}

const RESAMPLES = 2000;
/** Share of a label's words that a quote must contain to count as its evidence. */
const MIN_SHARE_OF_WORDS = 0.5;
const Z_OF_95 = 1.959_964;

/** Labels that an item states: its evidence overlaps their place, and its content has their numbers and names. */
export function labelsSaid(item: JudgedItem, { conversationId, labels }: LabelledKnowledge): TaughtLabel[] {
  const quotes = item.evidence.filter((evidence) => evidence.conversationId === conversationId);
  return labels.filter(({ places }) =>
    places.some(
      (place) => quotes.some((quote) => isShownBy(place, quote)) && mentionsAll(item.content, place.mentions),
    ),
  );
}

function isShownBy(place: Place, quote: Place): boolean {
  if (place.messageIndex !== quote.messageIndex) return false;
  const common = Math.min(place.endChar, quote.endChar) - Math.max(place.startChar, quote.startChar);
  return common >= (place.endChar - place.startChar) * MIN_SHARE_OF_WORDS;
}

/** Agreement of items with the labels of the conversations they were extracted from. */
export function knowledgeFigures(
  conversations: readonly LabelledKnowledge[],
  items: readonly JudgedItem[],
): KnowledgeFigures {
  const said = new Map(
    items.map((item) => [item, conversations.flatMap((conversation) => labelsSaid(item, conversation))]),
  );
  const found = new Set([...said.values()].flat());
  const isRight = (item: JudgedItem) => (said.get(item) ?? []).length > 0;
  const tallies = conversations.map(({ conversationId, labels }): Tally => {
    const own = items.filter(({ sourceConversationId }) => sourceConversationId === conversationId);
    return {
      ...{ items: own.length, right: own.filter(isRight).length },
      ...{ labels: labels.length, found: labels.filter((label) => found.has(label)).length },
    };
  });
  const sum = sumOf(tallies);
  const labels = conversations.flatMap((conversation) => conversation.labels);
  const byKind = [...Map.groupBy(labels, ({ kind }) => kind)].map(
    ([kind, own]) => [kind, { labels: own.length, found: own.filter((label) => found.has(label)).length }] as const,
  );
  return {
    precision: { right: sum.right, ...shareOf(tallies, 'right', 'items') },
    recall: { found: sum.found, ...shareOf(tallies, 'found', 'labels') },
    sameKind: items.filter((item) => said.get(item)?.some(({ kind }) => kind === item.kind)).length,
    byKind: Object.fromEntries(byKind),
  };
}

function sumOf(tallies: readonly Tally[]): Tally {
  const sum: Tally = { items: 0, right: 0, labels: 0, found: 0 };
  for (const { items, right, labels, found } of tallies) {
    sum.items += items;
    sum.right += right;
    sum.labels += labels;
    sum.found += found;
  }
  return sum;
}

function shareOf(tallies: readonly Tally[], hit: 'right' | 'found', all: 'items' | 'labels'): Share {
  const share = (drawn: readonly Tally[]) => {
    const sum = sumOf(drawn);
    return sum[hit] / sum[all];
  };
  const sum = sumOf(tallies);
  const [hits, count] = [sum[hit], sum[all]];
  return {
    of: count,
    // Without items or labels there is no share.
    share: count === 0 ? null : rounded(hits / count),
    overConversations: interval(
      resampled(
        tallies.map((tally) => [tally]),
        share,
        RESAMPLES,
      ),
    ),
    wilson: wilsonInterval(hits, count),
  };
}

/** Wilson score interval of a share at 95%; without any observation it is [0, 1]. */
export function wilsonInterval(hits: number, count: number): readonly [number, number] {
  if (count === 0) return [0, 1];
  const share = hits / count;
  const square = Z_OF_95 ** 2 / count;
  const middle = (share + square / 2) / (1 + square);
  const half = Math.sqrt((share * (1 - share) + square / 4) * square) / (1 + square);
  return [rounded(Math.max(0, middle - half)), rounded(Math.min(1, middle + half))];
}
