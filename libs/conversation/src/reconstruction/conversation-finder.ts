import { nanos } from './span-index.ts';
import { SpanNumbers } from './span-numbers.ts';

/** Fields of a span that determine its conversation. */
export interface ConversationSpan {
  spanId: string;
  parentSpanId?: string | undefined;
  /** Nanoseconds since the Unix epoch, as decimal text. */
  start: string;
  /** Conversation that the span itself names (`spanFacts`). */
  conversationId?: string | undefined;
}

interface FirstNamed {
  startNs: bigint;
  spanId: string;
  name: string;
}

/** Marker in place of a name's number: the span names no conversation. */
const NOT_NAMED = -1;
/** Marker for a parent that has not arrived. */
const NOT_MET = -2;
const NO_PARENT = -1;
/** Marker for a span whose conversation has not been requested yet. */
const NOT_ASKED = -3;

/**
 * Finds the conversation of each span of one trace: the one that the span names, else the one that its nearest ancestor
 * names, else the first that any span of the trace names (by start time, then span id), else the trace id. The answer
 * does not depend on the order of the spans, nor on repeats of a span. Memory: about 40 bytes per span, and each name
 * once.
 */
export class ConversationFinder {
  readonly #traceId: string;
  readonly #numbers = new SpanNumbers();
  /** By span number: the number of its parent, and the number of the conversation that it names itself. */
  readonly #parents: number[] = [];
  readonly #own: number[] = [];
  /** By span number, once requested: the number of the conversation that applies to it. */
  #found: Int32Array | undefined;
  readonly #names: string[] = [];
  readonly #numberOfName = new Map<string, number>();
  #first: FirstNamed | undefined;

  constructor(traceId: string) {
    this.#traceId = traceId;
  }

  /** Number of spans, including parents that have not arrived. */
  get size(): number {
    return this.#numbers.size;
  }

  /** Tells whether the trace contains more than one conversation. */
  get hasSeveral(): boolean {
    return this.#names.length > 1;
  }

  /** Adds a span. Of several versions of a span, one that names a conversation counts. */
  add({ spanId, parentSpanId, start, conversationId }: ConversationSpan): void {
    const span = this.#numberOf(spanId);
    if ((this.#own[span] ?? NOT_MET) >= 0) return;
    this.#parents[span] = parentSpanId === undefined ? NO_PARENT : this.#numberOf(parentSpanId);
    this.#own[span] = conversationId === undefined ? NOT_NAMED : this.#numberOfNamed(conversationId);
    this.#found = undefined;
    if (conversationId !== undefined) this.#note({ startNs: nanos(start), spanId, name: conversationId });
  }

  has(spanId: string): boolean {
    const span = this.#numbers.find(spanId);
    return span !== undefined && this.#own[span] !== NOT_MET;
  }

  /** Conversation of a span. A span that has not arrived is treated like one without name and parent. */
  of(spanId: string): string {
    const span = this.#numbers.find(spanId);
    const name = span === undefined ? NOT_NAMED : this.#resolve(span);
    const fallback = this.#first?.name ?? this.#traceId;
    return name === NOT_NAMED ? fallback : (this.#names[name] ?? fallback);
  }

  #numberOf(spanId: string): number {
    const span = this.#numbers.of(spanId);
    if (span === this.#own.length) {
      this.#own.push(NOT_MET);
      this.#parents.push(NO_PARENT);
    }
    return span;
  }

  #numberOfNamed(name: string): number {
    const known = this.#numberOfName.get(name);
    if (known !== undefined) return known;
    this.#numberOfName.set(name, this.#names.length);
    return this.#names.push(name) - 1;
  }

  #note(named: FirstNamed): void {
    const first = this.#first;
    const isEarlier =
      first === undefined ||
      named.startNs < first.startNs ||
      (named.startNs === first.startNs && named.spanId < first.spanId);
    if (isEarlier) this.#first = named;
  }

  /**
   * Goes up to the first ancestor with a known answer, then stores the answer for all spans on the way, so that the
   * total is linear.
   */
  #resolve(span: number): number {
    const found = (this.#found ??= new Int32Array(this.size).fill(NOT_ASKED));
    const path: number[] = [];
    let answer = NOT_NAMED;
    for (let current = span; current !== NO_PARENT; current = this.#parents[current] ?? NO_PARENT) {
      answer = found[current] ?? NOT_ASKED;
      if (answer !== NOT_ASKED) break;
      const own = this.#own[current] ?? NOT_MET;
      answer = own >= 0 ? own : NOT_NAMED;
      // In a cycle of parents none has a name, so the preliminary answer is final.
      found[current] = answer;
      path.push(current);
      if (own >= 0) break;
    }
    for (const each of path) found[each] = answer;
    return answer;
  }
}
