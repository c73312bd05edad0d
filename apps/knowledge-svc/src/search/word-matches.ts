import { NEWEST_FIRST, type Database } from '@clew/persistence';
import { itemCollection, type ItemDocument, type Sifted } from '../items/index.ts';

export interface WordSearch {
  projectId: string;
  /** Words of the search, as items are indexed by. */
  terms: readonly string[];
  isWanted(item: Sifted): boolean;
  /** Key of the subject that the items are about. */
  subject?: string | undefined;
}

export interface WordMatches {
  /** Items with some of the words, the best first. */
  ranked: { id: string; score: number }[];
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
const MAX_RANKED = 200;
/** Parameters of BM25 (Robertson and Zaragoza 2009), with the usual values; the length is in distinct words. */
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;
const USUAL_LENGTH = 20;
/** Items from which a word's rarity is computed: a frequent word counts as one that all of them have. */
const NOMINAL_ITEMS = 10 * MAX_ENTRIES;

type Entry = Pick<ItemDocument, '_id'> & Sifted;

/** Fields that the index of words holds. */
const FIELDS = { goalId: 1, standing: 1, heldFrom: 1, heldUntil: 1 } as const;

/** Finds items by some of their words: rare words weigh more, and so do they in short items. */
export function createFindByWords(database: Database): (search: WordSearch) => Promise<WordMatches> {
  const items = itemCollection(database);
  const database_ = database.connection.getClient().db(database.connection.name);

  /** Number of items with a word, counted no further than matters. */
  async function frequencyOf(filter: object): Promise<number> {
    const counted = await database_.command({ count: items.collectionName, query: filter, limit: MAX_ENTRIES + 1 });
    return Number(counted['n']);
  }

  async function entriesOf(search: WordSearch, wanted: readonly Term[]) {
    const weights = new Map<string, number>();
    let [lookedAt, isComplete] = [0, true];
    for (const { filter, frequency, weight } of wanted) {
      const room = MAX_ENTRIES - lookedAt;
      if (frequency > room) isComplete = false;
      if (room <= 0) break;
      const found = items.find(filter, {
        ...{ projection: FIELDS, sort: Object.fromEntries(NEWEST_FIRST), limit: room, batchSize: room },
      });
      const entries: Entry[] = await found.toArray();
      lookedAt += entries.length;
      for (const entry of entries) {
        if (search.isWanted(entry)) weights.set(entry._id, (weights.get(entry._id) ?? 0) + weight);
      }
    }
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
    const best = [...weights].toSorted(([, one], [, other]) => other - one).map(([id]) => id);
    return { ranked: await ranked(best.slice(0, MAX_RANKED), rarestFirst), lookedAt, isComplete };
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
