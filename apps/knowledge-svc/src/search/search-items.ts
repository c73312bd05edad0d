import type { KnowledgeSearch, SearchedKnowledge } from '@clew/contracts';
import type { Clock } from '@clew/kernel';
import { subjectKeyOf } from '@clew/knowledge';
import type { Database } from '@clew/persistence';
import { isHeld, searchTermsOf, type ItemStore, type StoredItem } from '../items/index.ts';
import type { EmbedQuery } from './embed-query.ts';
import { createFindNear, MAX_LOOKED_AT, type FoundNear } from './near-vectors.ts';
import { sieveOf } from './sieve.ts';
import { createFindByWords, type WordMatches } from './word-matches.ts';

export interface SearchDependencies {
  database: Database;
  items: ItemStore;
  embedQuery: EmbedQuery;
  clock: Clock;
}

/** Ranks the items of a project by a question: by their words, and by their meaning where a model embeds. */
export type SearchItems = (projectId: string, search: KnowledgeSearch) => Promise<SearchedKnowledge>;

/** Constant of reciprocal rank fusion (Cormack, Clarke and Büttcher 2009). */
const FUSION = 60;
/** Items that are read for each one that is answered: some may turn out to be unwanted. */
const READ_FOR_EACH = 3;

export function createSearchItems({ database, items, embedQuery, clock }: SearchDependencies): SearchItems {
  const findByWords = createFindByWords(database);
  const findNear = createFindNear(database);

  return async (projectId, { q, k, goalId, asOf, subject: name }) => {
    const subject = name === undefined ? undefined : subjectKeyOf(name);
    // Without a time, what was replaced comes after what holds; what a person archived is not found.
    const wanted = { projectId, subject, sieve: sieveOf({ goalId, asOf, status: 'not archived' }) };
    const [words, query] = await Promise.all([
      findByWords({ ...wanted, terms: searchTermsOf(q) }),
      embedQuery(projectId, q),
    ]);
    const near = query && (await findNear({ ...wanted, ...query, alsoIds: words.ids }));
    const fused = fusedRanks(words, near);
    const found = await items.getMany(projectId, [...fused.keys()].slice(0, READ_FOR_EACH * k));
    const nowMs = clock.now();
    const isCurrent = (item: StoredItem) =>
      asOf !== undefined || (item.status === 'active' && isHeld({ ...item, standing: 'active' }, nowMs));
    const ranked = [...fused].flatMap(([id, { score, matched }]) => {
      const item = found.get(id);
      return item === undefined ? [] : [{ item, score, matched, isCurrent: isCurrent(item) }];
    });
    return {
      items: [...ranked.filter((each) => each.isCurrent), ...ranked.filter((each) => !each.isCurrent)].slice(0, k),
      lookedAt: {
        words: { entries: words.lookedAt, isComplete: words.isComplete },
        meaning:
          query === undefined || near === undefined
            ? null
            : { model: query.model, items: near.lookedAt, isComplete: near.lookedAt < MAX_LOOKED_AT },
      },
    };
  };
}

type Fused = Pick<SearchedKnowledge['items'][number], 'score' | 'matched'>;

/** Items by their ranks in both lists, the best first. */
function fusedRanks({ ranked }: WordMatches, near: FoundNear | undefined): Map<string, Fused> {
  const fused = new Map<string, Fused>();
  for (const [list, name] of [
    [ranked, 'words'],
    [near?.found ?? [], 'meaning'],
  ] as const) {
    for (const [rank, { id }] of list.entries()) {
      const known = fused.get(id) ?? { score: 0, matched: [] };
      const score = known.score + 1 / (FUSION + rank + 1);
      fused.set(id, { score, matched: [...known.matched, name] });
    }
  }
  return new Map([...fused].toSorted(([, one], [, other]) => other.score - one.score));
}
