import type { Body } from '../../body/body.ts';
import type { Range } from '../../json/json-writer.ts';
import { Pace, type Steps } from '../../steps.ts';
import { EntryCounter, MAX_RECORD_BYTES } from '../../records/limits.ts';
import { FieldCursor, lastField } from './field-cursor.ts';
import { WireReader } from './wire-reader.ts';

// Field numbers. Traces, logs and metrics nest alike: request 1 -> resource 1 and scopes 2 -> scope 1 and records 2.
const RESOURCE_GROUPS = 1;
const HEADER = 1;
const MEMBERS = 2;

/** Stands for a message that is larger than a record may be, and is therefore not read. */
export const TOO_LARGE = Symbol('too large');
export type WalkedMessage = WireReader | typeof TOO_LARGE;

/** Visitor of the parts of an export, called in this order. */
export interface ExportVisitor<Resource, Group> {
  resource(message: WalkedMessage): Resource;
  scope(message: WalkedMessage, resource: Resource): Group;
  /** Visits a record; may return a promise to await before the walk goes on. */
  record(message: WalkedMessage, group: Group): Promise<unknown> | undefined;
}

/** Walks through an export request with no more than one record of it in memory at a time. */
export class ExportWalk<Resource, Group> {
  readonly #body: Body;
  readonly #visitor: ExportVisitor<Resource, Group>;
  readonly #pace = new Pace();
  readonly #entries = new EntryCounter();

  constructor(body: Body, visitor: ExportVisitor<Resource, Group>) {
    this.#body = body;
    this.#visitor = visitor;
  }

  *request(): Steps {
    const fields = new FieldCursor(this.#body, { start: 0, end: this.#body.sizeBytes });
    while (yield* fields.next()) {
      if (fields.field === RESOURCE_GROUPS) yield* this.#resourceGroup(fields.content);
    }
  }

  *#resourceGroup(range: Range): Steps {
    this.#entries.add();
    // The resource may stand behind the scopes that it belongs to, so it is looked up first.
    const resource = this.#visitor.resource(yield* this.#message(yield* lastField(this.#body, range, HEADER)));
    const fields = new FieldCursor(this.#body, range);
    while (yield* fields.next()) {
      if (fields.field === MEMBERS) yield* this.#scopeGroup(fields.content, resource);
    }
  }

  *#scopeGroup(range: Range, resource: Resource): Steps {
    this.#entries.add();
    const header = yield* this.#message(yield* lastField(this.#body, range, HEADER));
    const group = this.#visitor.scope(header, resource);
    const fields = new FieldCursor(this.#body, range);
    while (yield* fields.next()) {
      if (fields.field !== MEMBERS) continue;
      this.#entries.add();
      const wait = this.#visitor.record(yield* this.#message(fields.content), group) ?? this.#pace.pause();
      if (wait !== undefined) yield wait;
    }
  }

  /** Loads a message; a missing one reads as empty. */
  *#message(range: Range | undefined): Steps<WalkedMessage> {
    const { start, end } = range ?? { start: 0, end: 0 };
    if (end - start > MAX_RECORD_BYTES) return TOO_LARGE;
    const wait = this.#body.bring(start, end);
    if (wait !== undefined) yield wait;
    const { bytes, offset } = this.#body;
    return new WireReader(bytes, start - offset, end - offset);
  }
}
