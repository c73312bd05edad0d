import type { mongo } from 'mongoose';
import { MAX_NEAR_ITEMS, type NearItem, type TextEmbedding } from '@clew/contracts';
import { shareOfCommonWords, subjectKeyOf, tellingWords } from '@clew/knowledge';
import { NEWEST_FIRST, type Database } from '@clew/persistence';
import { itemCollection, searchTermsOf, type ItemDocument } from '../items/index.ts';
import { statementOf } from './statement.ts';
import { estimatedCosine, sketchOf, vectorBandsOf, vectorOf } from '@clew/similarity';

/** Statement that is to be compared with existing items. */
export interface NewStatement {
  content: string;
  /** Name of the person or thing that it is about. */
  subject?: string | undefined;
  embedding?: TextEmbedding | undefined;
}

/** Finds the active items of a goal nearest to each statement. */
export type NearStatements = (
  projectId: string,
  goalId: string,
  statements: readonly NewStatement[],
) => Promise<NearItem[][]>;

/** Candidates that are read by one kind of likeness. */
const MAX_ALIKE = 20;
/** Words of a statement by which candidates are looked for, the longest, and the newest items that are read by each. */
const MAX_WORDS = 6;
const MAX_BY_WORD = 40;
/** Likeness below which an item is not worth a comparison: the share of common words, or the estimated cosine. */
const MIN_COMMON = 0.15;
const MIN_COSINE = 0.45;
/** Likeness that a common subject adds, so that even few common words are worth a comparison. */
const SAME_SUBJECT = 0.15;

type Candidate = Pick<
  ItemDocument,
  '_id' | 'goalId' | 'status' | 'revision' | 'content' | 'authority' | 'saidAt' | 'subjects' | 'sketch'
> & { embedding?: { model: string } | null };

/** Fields of a candidate; of its vector only the sketch, since hundreds of candidates are read. */
const FIELDS = {
  ...{
    goalId: 1,
    status: 1,
    revision: 1,
    content: 1,
    authority: 1,
    saidAt: 1,
    subjects: 1,
    sketch: 1,
    'embedding.model': 1,
  },
} as const;

export function createNearStatements(database: Database): NearStatements {
  const items = itemCollection(database);

  async function candidatesOf(
    projectId: string,
    goalId: string,
    { content, subject }: NewStatement,
    vector: Vector | undefined,
  ): Promise<Candidate[]> {
    const { bands, subjectKey } = statementOf(content);
    const ofGoal = { projectId, goalId };
    const alike: mongo.Filter<ItemDocument>[] = [
      { ...ofGoal, bands: { $in: bands } },
      { ...ofGoal, subjectKey },
      ...(vector === undefined
        ? []
        : [{ ...ofGoal, vectorBands: { $in: vectorBandsOf(vector.model, vector.sketch) } }]),
    ];
    const found = [
      ...alike.map((filter) => items.find(filter, { projection: FIELDS, limit: MAX_ALIKE })),
      ...(subject === undefined
        ? []
        : [
            items.find(
              { projectId, subjects: subjectKeyOf(subject) },
              { projection: FIELDS, sort: Object.fromEntries(NEWEST_FIRST), limit: MAX_BY_WORD },
            ),
          ]),
      ...wordsToLookFor(content).map((terms) =>
        items.find(
          { projectId, terms },
          { projection: FIELDS, sort: Object.fromEntries(NEWEST_FIRST), limit: MAX_BY_WORD },
        ),
      ),
    ];
    const read = await Promise.all(found.map((cursor) => cursor.toArray()));
    const known = new Map(read.flat().map((candidate) => [candidate._id, candidate]));
    return [...known.values()].filter((each) => each.goalId === goalId && each.status === 'active');
  }

  return async (projectId, goalId, statements) => {
    const near: NearItem[][] = [];
    // One after the other, so that one call never holds many connections.
    for (const statement of statements) {
      const vector = vectorFor(statement);
      const candidates = await candidatesOf(projectId, goalId, statement, vector);
      const ranked = candidates
        .map((candidate) => ({ candidate, likeness: likenessTo(candidate, statement, vector) }))
        .filter(({ likeness }) => likeness > 0)
        .toSorted((one, other) => other.likeness - one.likeness || (one.candidate._id < other.candidate._id ? -1 : 1));
      near.push(ranked.slice(0, MAX_NEAR_ITEMS).map(({ candidate }) => nearItemOf(candidate)));
    }
    return near;
  };
}

interface Vector {
  model: string;
  sketch: Uint8Array;
}

function vectorFor({ embedding }: NewStatement): Vector | undefined {
  const values = embedding === undefined ? undefined : vectorOf(embedding.vector);
  return embedding === undefined || values === undefined
    ? undefined
    : { model: embedding.model, sketch: sketchOf(values) };
}

function wordsToLookFor(content: string): string[] {
  return searchTermsOf(content)
    .filter((word) => tellingWords(word).size > 0)
    .toSorted((one, other) => other.length - one.length)
    .slice(0, MAX_WORDS);
}

/** Likeness of an item to a statement, for ranking; 0 if there is too little to compare. */
function likenessTo(
  { content, subjects, embedding, sketch }: Candidate,
  statement: NewStatement,
  vector: Vector | undefined,
): number {
  const common = shareOfCommonWords(tellingWords(content), tellingWords(statement.content));
  const cosine =
    vector !== undefined && sketch != null && embedding?.model === vector.model
      ? estimatedCosine(vector.sketch, sketch.buffer)
      : 0;
  const isOfSubject = statement.subject !== undefined && subjects.includes(subjectKeyOf(statement.subject));
  const bonus = isOfSubject ? SAME_SUBJECT : 0;
  return common + bonus < MIN_COMMON && cosine < MIN_COSINE ? 0 : common + bonus + Math.max(0, cosine);
}

function nearItemOf({ _id: itemId, revision, content, authority, saidAt }: Candidate): NearItem {
  return { itemId, revision, content, authority, saidAt };
}
