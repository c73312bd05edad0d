import { newId } from '@clew/kernel';
import { messagesOf, saidSoFar, type SaidSoFar } from './chat-messages.ts';
import type { FinishedCall } from './finished-call.ts';
import { isRecord, textOf } from './values.ts';

/** Point that a conversation has reached, from which a call may continue it. */
export interface ConversationPoint {
  projectId: string;
  hash: string;
  conversationId: string;
  continued: boolean;
  atMs: number;
}

export interface ConversationPointChanges {
  /** Points that were not loaded, though they may be stored. */
  added: readonly ConversationPoint[];
  changed: readonly ConversationPoint[];
}

export interface ChatCall {
  call: FinishedCall;
  said: SaidSoFar;
}

/** Maximum number of points looked for: a call continues its conversation at most a few answers back. */
const MAX_CANDIDATES = 100;
/** Maximum number of identical chats at one point that are told apart. */
export const MAX_POINTS_PER_HASH = 20;

export function chatCallOf(call: FinishedCall): ChatCall {
  const { request, answer, error } = call;
  const metadata = request['metadata'];
  const { hashKey = '' } = call;
  const user = textOf(request['user']) ?? (isRecord(metadata) ? textOf(metadata['user_id']) : undefined) ?? '';
  const hasAnswer = error === undefined && (answer.content !== '' || answer.toolCalls.length > 0);
  return { call, said: saidSoFar(hashKey + user, messagesOf(request), hasAnswer ? answer : undefined) };
}

/** Hashes of the points that a call may continue, the nearest first. */
export function candidatesOf({ said }: ChatCall): string[] {
  return [said.request, ...said.answered].slice(0, MAX_CANDIDATES);
}

/** Whether there should be an earlier call to continue. */
export function hasHistory({ said }: ChatCall): boolean {
  return said.answered.length > 0;
}

/**
 * Assigns calls to conversations, in the order of the calls, from the points known so far, and keeps the points up to
 * date. Chats with the same words so far are told apart by continuation: the oldest point not continued yet comes
 * first; a point already continued serves a repeated or edited turn.
 */
export class ConversationPoints {
  readonly #byHash = new Map<string, ConversationPoint[]>();
  readonly #added = new Set<ConversationPoint>();
  readonly #changed = new Set<ConversationPoint>();

  constructor(known: readonly ConversationPoint[]) {
    for (const point of known) this.#add(point);
  }

  /** Points added and changed since construction. */
  get changes(): ConversationPointChanges {
    return { added: [...this.#added], changed: [...this.#changed] };
  }

  /** Finds the conversation of a call that names none; undefined if it begins a new one. */
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

  /**
   * Records the point that a conversation has reached: after the answer, or after the request if there is no answer.
   */
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

/** Id for a new conversation. */
export function newConversationId(): string {
  return newId('conv');
}

function keyOf(projectId: string, hash: string): string {
  return `${projectId}:${hash}`;
}
