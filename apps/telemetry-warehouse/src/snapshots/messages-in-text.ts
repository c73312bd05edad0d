import { readJson } from '@clew/kernel';
import type { SnapshotMessage } from '@clew/contracts';

/** Beginning of the text of every snapshot: see `snapshotText`. */
const BEGINNING = Buffer.from('{"messages":[');
const [QUOTE, BACKSLASH, OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = Buffer.from('"\\{}[]');

/**
 * Reads the messages at some indexes from the text of a snapshot, and no more of the text than lies before their end:
 * the messages before are skipped byte by byte, which costs far less than parsing them.
 *
 * @param text - The text of the snapshot in pieces, as UTF-8.
 */
export async function messagesInText(
  text: AsyncIterable<Buffer>,
  { from, limit }: { from: number; limit: number },
): Promise<SnapshotMessage[]> {
  const found: SnapshotMessage[] = [];
  const finder = new MessageFinder();
  for await (const piece of text) {
    for (const message of finder.read(piece, from)) {
      found.push(readJson(message) as SnapshotMessage);
      if (found.length === limit) return found;
    }
    if (finder.isAtEnd) return found;
  }
  return found;
}

/** Finds the messages of a snapshot one after the other. */
class MessageFinder {
  /** Whether the list of messages has ended. */
  isAtEnd = false;
  #skip = BEGINNING.length;
  #index = 0;
  #depth = 0;
  #isText = false;
  #isEscaped = false;
  #parts: Buffer[] = [];

  /** Yields the JSON of each wanted message that ends in this piece. */
  *read(piece: Buffer, from: number): Generator<string> {
    let start = Math.min(this.#skip, piece.length);
    const first = start;
    this.#skip -= start;
    for (let at = first; at < piece.length; at += 1) {
      const wasOutside = this.#depth === 0;
      const isEnd = this.#step(piece[at]);
      if (this.isAtEnd) return;
      if (wasOutside && this.#depth === 1) start = at;
      if (!isEnd) continue;
      if (this.#index >= from) yield Buffer.concat([...this.#parts, piece.subarray(start, at + 1)]).toString();
      this.#parts = [];
      this.#index += 1;
    }
    if (this.#depth > 0 && this.#index >= from) this.#parts.push(piece.subarray(start));
  }

  /** Takes one byte; true if a message ends with it. */
  #step(byte: number | undefined): boolean {
    if (this.#isText) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === BACKSLASH) this.#isEscaped = true;
      else if (byte === QUOTE) this.#isText = false;
      return false;
    }
    if (byte === QUOTE) this.#isText = true;
    else if (byte === OPEN || byte === OPEN_LIST) this.#depth += 1;
    else if (byte === CLOSE || byte === CLOSE_LIST) {
      this.#depth -= 1;
      if (this.#depth < 0) this.isAtEnd = true;
      return this.#depth === 0;
    }
    return false;
  }
}
