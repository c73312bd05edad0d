import { newId } from '@clew/kernel';
import { messagesOf, saidSoFar, type SaidSoFar } from './chat-messages.ts';
import type { FinishedCall } from './finished-call.ts';
import { isRecord, textOf } from './values.ts';

/** A point that a conversation has reached, from which a call may continue it. */
export interface ConversationPoint {
  projectId: string;
  hash: string;
  conversationId: string;
  continued: boolean;
  atMs: number;
}

export interface ConversationPointChanges {
  /** They were not known, though they may be stored. */
  added: readonly ConversationPoint[];
  changed: readonly ConversationPoint[];
}

export interface ChatCall {
  call: FinishedCall;
  said: SaidSoFar;
}

/** Points far back are not looked for: a call continues where its conversation was a few answers ago. */
const MAX_CANDIDATES = 100;
/** Several identical chats stand at one point; more of them than this are not told apart. */
export const MAX_POINTS_PER_HASH = 20;

export function chatCallOf(call: FinishedCall): ChatCall {
  const { request, answer, error } = call;
  const metadata = request['metadata'];
  const user = textOf(request['user']) ?? (isRecord(metadata) ? textOf(metadata['user_id']) : undefined) ?? '';
  const hasAnswer = error === undefined && (answer.content !== '' || answer.toolCalls.length > 0);
  return { call, said: saidSoFar(user, messagesOf(request), hasAnswer ? answer : undefined) };
}

/** The hashes of the points that a call may continue, the nearest first. */
export function candidatesOf({ said }: ChatCall): string[] {
  return [said.request, ...said.answered].slice(0, MAX_CANDIDATES);
}

/** Whether there should be an earlier call to continue. */
export function hasHistory({ said }: ChatCall): boolean {
  return said.answered.length > 0;
}

/**
 * Finds the conversations of calls, in the order of the calls, from the points known so far; `points` is kept up to
 * date. Chats that have said the same so far are told apart by who continued: a point that nobody has continued yet goes
 * first, the oldest of them; a point that was continued serves a repeated or edited turn.
 */
export class ConversationPoints {
  readonly #byHash = new Map<string, ConversationPoint[]>();
  readonly #added = new Set<ConversationPoint>();
  readonly #changed = new Set<ConversationPoint>();

  constructor(known: readonly ConversationPoint[]) {
    for (const point of known) this.#add(point);
  }

  /** What became of them. */
  get changes(): ConversationPointChanges {
    return { added: [...this.#added], changed: [...this.#changed] };
  }

  /** The conversation of a call that names none; undefined where it begins a new one. */
  find(chat: ChatCall): string | undefined {
    for (const hash of candidatesOf(chat)) {
      const points = this.#byHash.get(keyOf(chat.call.projectId, hash)) ?? [];
      const point = points.find(({ continued }) => !continued) ?? points.at(-1);
      if (point === undefined) continue;
      point.continued = true;
      this.#noteChange(point);
      return point.conversationId;
    }
    return undefined;
  }

  /** Notes how far a conversation has come. A call without an answer has come as far as its request. */
  reached({ call, said }: ChatCall, conversationId: string): void {
    const hash = said.answer ?? said.request;
    const known = this.#byHash
      .get(keyOf(call.projectId, hash))
      ?.find((point) => point.conversationId === conversationId);
    const point = known ?? { projectId: call.projectId, hash, conversationId, continued: false, atMs: call.endedAtMs };
    point.continued = false;
    point.atMs = call.endedAtMs;
    if (known === undefined) {
      this.#add(point);
      this.#added.add(point);
    } else {
      this.#noteChange(point);
    }
  }

  #noteChange(point: ConversationPoint): void {
    if (!this.#added.has(point)) this.#changed.add(point);
  }

  #add(point: ConversationPoint): void {
    const key = keyOf(point.projectId, point.hash);
    const points = this.#byHash.get(key);
    if (points === undefined) this.#byHash.set(key, [point]);
    else points.push(point);
  }
}

/** The name of a conversation that begins. */
export function newConversationId(): string {
  return newId('conv');
}

function keyOf(projectId: string, hash: string): string {
  return `${projectId}:${hash}`;
}
