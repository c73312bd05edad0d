import { nativeDb, NEWEST_FIRST, type Database } from '@clew/persistence';
import { itemCollection, type ItemDocument, type Sifted } from '../items/index.ts';
import type { Sieve } from './sieve.ts';

export interface WordSearch {
  projectId: string;
  /** Words of the search, as items are indexed by. */
  terms: readonly string[];
  sieve: Sieve;
  /** Key of the subject that the items are about. */
  subject?: string | undefined;
}

export interface WordMatches {
  /** Items with some of the words, the best first. */
  ranked: { id: string; score: number }[];
  /** Ids of all items with some of the words that were looked at, the likely best first. */
  ids: string[];
  /** Entries of the index that were looked at, an item once for each of its words. */
  lookedAt: number;
  /** Whether those are all: of frequent words, only the newest items are looked at. */
  isComplete: boolean;
}

/** Words of a search that are looked up, the longest. */
const MAX_TERMS = 12;
/** Index entries that are read for all words together; the rarest words come first. */
const MAX_ENTRIES = 2_000;
/** Best items whose words are read in full, which also tells the frequent words. */
const MAX_RANKED = 100;
/** Parameters of BM25 (Robertson and Zaragoza 2009), with the usual values; the length is in distinct words. */
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;
const USUAL_LENGTH = 20;
/** Items from which a word's rarity is computed: a frequent word counts as one that all of them have. */
const NOMINAL_ITEMS = 10 * MAX_ENTRIES;

type Entry = Pick<ItemDocument, '_id'> & Sifted;

/** Finds items by some of their words: rare words weigh more, and so do they in short items. */
export function createFindByWords(database: Database): (search: WordSearch) => Promise<WordMatches> {
  const items = itemCollection(database);
  const db = nativeDb(database.connection);

  /** Number of items with a word, counted no further than matters. */
  async function frequencyOf(filter: object): Promise<number> {
    const counted = await db.command({ count: items.collectionName, query: filter, limit: MAX_ENTRIES + 1 });
    return Number(counted['n']);
  }

  /** Reads the newest items of each word, as many as there is room for once the rarer words are read. */
  async function entriesOf({ sieve }: WordSearch, rarestFirst: readonly Term[]) {
    let room = MAX_ENTRIES;
    const reads = rarestFirst.map(({ filter, frequency, weight }) => {
      const limit = Math.min(frequency, room);
      room -= limit;
      const options = { projection: sieve.fields, sort: Object.fromEntries(NEWEST_FIRST), limit, batchSize: limit };
      return { weight, entries: limit === 0 ? [] : items.find<Entry>(filter, options).toArray() };
    });
    const weights = new Map<string, number>();
    let lookedAt = 0;
    for (const { weight, entries } of reads) {
      for (const entry of await entries) {
        lookedAt += 1;
        if (sieve.isWanted(entry)) weights.set(entry._id, (weights.get(entry._id) ?? 0) + weight);
      }
    }
    const isComplete = rarestFirst.reduce((sum, { frequency }) => sum + frequency, 0) <= MAX_ENTRIES;
    return { weights, lookedAt, isComplete };
  }

  async function ranked(ids: readonly string[], terms: readonly Term[]) {
    const whole = items.find({ _id: { $in: [...ids] } }, { projection: { terms: 1 }, hint: { _id: 1 } });
    const scores = (await whole.toArray()).map(({ _id: id, terms: words }) => ({ id, score: scoreOf(words, terms) }));
    return scores.toSorted((one, other) => other.score - one.score || (one.id < other.id ? -1 : 1));
  }

  return async (search) => {
    const { projectId, subject } = search;
    const about = subject === undefined ? {} : { subjects: subject };
    const words = search.terms.toSorted((one, other) => other.length - one.length).slice(0, MAX_TERMS);
    const counted = await Promise.all(
      words.map(async (word): Promise<Term> => {
        const filter = { projectId, terms: word, ...about };
        const frequency = await frequencyOf(filter);
        return { word, filter, frequency, weight: Math.log(1 + NOMINAL_ITEMS / Math.max(1, frequency)) };
      }),
    );
    const rarestFirst = counted
      .filter(({ frequency }) => frequency > 0)
      .toSorted((one, other) => one.frequency - other.frequency);
    const { weights, lookedAt, isComplete } = await entriesOf(search, rarestFirst);
    const ids = [...weights].toSorted(([, one], [, other]) => other - one).map(([id]) => id);
    return { ranked: await ranked(ids.slice(0, MAX_RANKED), rarestFirst), ids, lookedAt, isComplete };
  };
}

interface Term {
  word: string;
  filter: { projectId: string; terms: string };
  frequency: number;
  weight: number;
}

function scoreOf(words: readonly string[], terms: readonly Term[]): number {
  const own = new Set(words);
  const length = 1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * own.size) / USUAL_LENGTH;
  const shared = terms.filter(({ word }) => own.has(word));
  return shared.reduce((sum, { weight }) => sum + (weight * (SATURATION + 1)) / (1 + SATURATION * length), 0);
}
