import { AppError } from '@clew/kernel';
import { JsonCapture, type CaptureLimits } from './json-capture.ts';
import { jsonTokens, type JsonToken } from './json-tokens.ts';

/** Wanted parts of a JSON document; the rest is skipped unread. An absent or null member counts as empty. */
export type JsonShape = ObjectShape | ListShape | ValueShape;

interface ObjectShape {
  readonly kind: 'object';
  readonly members: Readonly<Record<string, JsonShape>>;
  begin?(): void;
}

interface ListShape {
  readonly kind: 'list';
  readonly items: JsonShape;
  begin?(): void;
  beginItem?(): void;
}

/** Value that is wanted as a whole. */
interface ValueShape {
  readonly kind: 'value';
  readonly limits: CaptureLimits;
  /** Takes the value; may return a promise to await before the walk goes on. */
  take(value: unknown): Promise<unknown> | undefined;
}

interface Level {
  readonly shape: ObjectShape | ListShape;
  /** Shape wanted of the value behind the key that was read last. */
  next: JsonShape | undefined;
}

/** Walks once through a document of any size, as it arrives. */
export async function walkJson(chunks: AsyncIterable<Buffer>, shape: JsonShape, maxDepth: number): Promise<void> {
  const walker = new ShapeWalker(shape, maxDepth);
  for await (const tokens of jsonTokens(chunks)) {
    for (const token of tokens) {
      const wait = walker.take(token);
      if (wait !== undefined) await wait;
    }
  }
}

/** Longest key that can be wanted. */
const MAX_KEY_LENGTH = 64;

class ShapeWalker {
  readonly #root: JsonShape;
  readonly #maxDepth: number;
  readonly #levels: Level[] = [];
  #depth = 0;
  #key = '';
  /** Depth at which an unwanted value began; set while it is skipped. */
  #skippedFrom: number | undefined;
  #capture: { builder: JsonCapture; shape: ValueShape } | undefined;

  constructor(root: JsonShape, maxDepth: number) {
    this.#root = root;
    this.#maxDepth = maxDepth;
  }

  /** Takes the next token; may return a promise to await before the token after it. */
  take(token: JsonToken): Promise<unknown> | undefined {
    this.#followDepth(token);
    if (this.#capture !== undefined) return this.#captured(token);
    if (this.#skippedFrom === undefined) return this.#structure(token);
    if (this.#depth === this.#skippedFrom && endsValue(token)) this.#skippedFrom = undefined;
    return undefined;
  }

  #structure(token: JsonToken): Promise<unknown> | undefined {
    const level = this.#levels.at(-1);
    switch (token.name) {
      case 'startKey':
        this.#key = '';
        return undefined;
      case 'stringChunk':
        if (this.#key.length <= MAX_KEY_LENGTH) this.#key += token.value;
        return undefined;
      case 'endKey':
        if (level?.shape.kind === 'object') level.next = memberOf(level.shape, this.#key);
        return undefined;
      case 'endObject':
      case 'endArray':
        this.#levels.pop();
        return undefined;
      default:
        if (level?.shape.kind === 'list') level.shape.beginItem?.();
        return this.#begin(token, level === undefined ? this.#root : wantedIn(level));
    }
  }

  /** Handles the first token of a value. */
  #begin(token: JsonToken, shape: JsonShape | undefined): Promise<unknown> | undefined {
    if (shape?.kind === 'value') {
      this.#capture = { builder: new JsonCapture(shape.limits), shape };
      return this.#captured(token);
    }
    if (shape === undefined) {
      if (!isWhole(token)) this.#skippedFrom = this.#depth - (opens(token) ? 1 : 0);
    } else if (token.name === (shape.kind === 'object' ? 'startObject' : 'startArray')) {
      this.#levels.push({ shape, next: undefined });
      shape.begin?.();
    } else if (token.name !== 'nullValue' || this.#levels.at(-1)?.shape.kind !== 'object') {
      throw new AppError('MALFORMED_BODY', 'The body does not have the form of an OTLP request');
    }
    return undefined;
  }

  #captured(token: JsonToken): Promise<unknown> | undefined {
    const { builder, shape } = this.#capture as { builder: JsonCapture; shape: ValueShape };
    if (!builder.take(token)) return undefined;
    this.#capture = undefined;
    return shape.take(builder.value);
  }

  #followDepth(token: JsonToken): void {
    if (opens(token)) {
      this.#depth += 1;
      if (this.#depth > this.#maxDepth) {
        throw new AppError('MALFORMED_BODY', `The body nests deeper than ${this.#maxDepth} levels`);
      }
    } else if (token.name === 'endObject' || token.name === 'endArray') {
      this.#depth -= 1;
    }
  }
}

function wantedIn({ shape, next }: Level): JsonShape | undefined {
  return shape.kind === 'object' ? next : shape.items;
}

function memberOf({ members }: ObjectShape, key: string): JsonShape | undefined {
  return Object.hasOwn(members, key) ? members[key] : undefined;
}

function opens({ name }: JsonToken): boolean {
  return name === 'startObject' || name === 'startArray';
}

/** Whether the token is a complete value by itself. */
function isWhole({ name }: JsonToken): boolean {
  return name === 'nullValue' || name === 'trueValue' || name === 'falseValue';
}

function endsValue({ name }: JsonToken): boolean {
  return name === 'endObject' || name === 'endArray' || name === 'endString' || name === 'endNumber';
}
