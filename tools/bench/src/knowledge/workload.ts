import { createHash } from 'node:crypto';
import { sketchOf } from '@clew/similarity';
import { Binary, type Document } from 'mongodb';

export const EMBEDDER = 'loop/embedder';

const DIMENSIONS = 384;
const VOCABULARY = 20_000;
const TOPICS = 400;
const WORDS_OF_ITEM = 18;
const WORDS_OF_QUESTION = 7;
const FIRST_AT = 1_700_000_000_000;
/** Share of a topic in the direction of a vector; the rest is the item's own. */
const TOPIC_SHARE = 0.7;

/** Questions, each with some frequent words and some rare ones. */
export function questions(count: number): string[] {
  return Array.from({ length: count }, (_, at) => wordsOf(`question ${at}`, WORDS_OF_QUESTION).join(' '));
}

/** Embedding of a question: the direction of one topic, with something of its own. */
export function vectorOfQuestion(text: string): Float32Array {
  return mixed(numberOf(text, 0) % TOPICS, text);
}

/** Stored items of one goal with vectors; every fiftieth has been replaced. */
export function* itemDocuments(projectId: string, goalId: string, count: number): Generator<Document> {
  for (let index = 0; index < count; index += 1) yield itemDocument(projectId, goalId, index);
}

function itemDocument(projectId: string, goalId: string, index: number): Document {
  const name = `item ${index}`;
  const words = wordsOf(name, WORDS_OF_ITEM);
  const vector = mixed(index % TOPICS, name);
  const at = FIRST_AT + 1_000 * index;
  const isReplaced = index % 50 === 0;
  const id = `kitm_${digestOf(name).toString('hex').slice(0, 26).toUpperCase()}`;
  return {
    ...{ _id: id as never, projectId, goalId, title: words.slice(0, 3).join(' '), content: words.join(' ') },
    ...{ status: isReplaced ? 'archived' : 'active', standing: isReplaced ? 'superseded' : 'active', kind: 'fact' },
    ...{ confidence: 1, authority: 'user_stated', subject: { kind: 'project', name: 'project', userId: null } },
    ...{ subjects: ['project'], saidAt: at, validFrom: null, validUntil: null, heldFrom: at },
    ...{ heldUntil: isReplaced ? at + 1 : null, reviewedAt: null, reviewedBy: null, possiblyOutdatedBy: null },
    ...{ supersedes: null, supersededBy: isReplaced ? 'kitm_later' : null, revision: 1, createdAt: at, updatedAt: at },
    ...{
      sourceTraceId: 'a'.repeat(32),
      sourceConversationId: 'chat',
      traceIds: ['a'.repeat(32)],
      evidence: [evidence()],
    },
    ...{ conversationIds: ['chat'], terms: [...new Set(words)] },
    embedding: { model: EMBEDDER, vector: new Binary(Buffer.from(vector.buffer)) },
    sketch: new Binary(sketchOf(vector)),
  };
}

function evidence() {
  const place = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), messageIndex: 0, startChar: 0, endChar: 80 };
  return { ...place, quote: 'w'.repeat(80), conversationId: 'chat', isCurrent: true };
}

/** Words by Zipf's law: the first ones of the vocabulary are in most texts. */
function wordsOf(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => {
    const share = numberOf(name, at + 1) / 2 ** 32;
    return `word${Math.floor(VOCABULARY ** share)}`;
  });
}

function mixed(topic: number, name: string): Float32Array<ArrayBuffer> {
  const [shared, own] = [directionOf(`topic ${topic}`), directionOf(name)];
  return unit(shared.map((value, at) => TOPIC_SHARE * value + (1 - TOPIC_SHARE) * (own[at] ?? 0)));
}

function directionOf(name: string): Float32Array<ArrayBuffer> {
  const bytes = Buffer.concat(Array.from({ length: DIMENSIONS / 32 }, (_, part) => digestOf(`${name}:${part}`)));
  return unit(Float32Array.from(bytes, (byte) => byte - 127.5));
}

function unit(vector: Float32Array<ArrayBuffer>): Float32Array<ArrayBuffer> {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

function numberOf(name: string, salt: number): number {
  return digestOf(`${name}#${salt}`).readUInt32BE(0);
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
