import type { Page } from '@clew/sdk';
import type { Io } from '../io.ts';
import { column, forPrograms, type Column } from './cells.ts';
import { styleOf, type Style } from './style.ts';
import { drawRecord, drawTable, tsvOf, type Drawing } from './table.ts';
import { printable, wrapped } from './text.ts';

/** Form of what a command prints. */
export type Form = 'people' | 'tsv' | 'json' | 'ndjson' | 'ids';

/** Longer text of a thing, which stands below its fields. */
export interface Passage {
  title?: string;
  text: string;
  /** Whether its lines stay as they are: code, JSON. */
  isVerbatim?: boolean;
}

/** Printer of a command: data to stdout, everything else to stderr. */
export interface Output {
  readonly form: Form;
  readonly style: Style;
  /** Prints a body of the API, exactly. */
  json(body: unknown): Promise<void>;
  /** Prints things as rows, whatever the form; `body` is the answer that they are from. */
  rows<Item>(
    items: readonly Item[],
    columns: readonly Column<Item>[],
    body: unknown,
    options?: { isContinued?: boolean },
  ): Promise<void>;
  /** Prints one thing with its fields, and below them longer texts. */
  record<Item>(item: Item, fields: readonly Column<Item>[], passages?: readonly Passage[]): Promise<void>;
  /** Prints text as it is, without what would control a terminal. */
  text(text: string): Promise<void>;
  /** Prints bytes of an export, as they come. */
  bytes(stream: AsyncIterable<Uint8Array>): Promise<void>;
  /** Tells something on stderr, for people alone. */
  note(text: string): Promise<void>;
}

const NARROW = 80;

/** Makes the printer of a form. */
export function createOutput(io: Io, form: Form, { isQuiet = false }: { isQuiet?: boolean } = {}): Output {
  const { stdout, stderr } = io;
  const style = styleOf(stdout, io);
  const drawing = () => ({ style, nowMs: io.now(), width: stdout.columns() || NARROW });
  const json = (body: unknown) =>
    body === undefined
      ? Promise.resolve()
      : stdout.write(`${JSON.stringify(body, null, stdout.isTerminal && form !== 'ndjson' ? 2 : undefined)}\n`);
  return {
    form,
    style,
    json,
    async rows(items, columns, body, { isContinued = false } = {}) {
      if (form === 'json') return await json(body);
      const text = items.length === 0 ? '' : rowsAs(form, items, columns, { ...drawing(), isContinued });
      if (text !== '') await stdout.write(text);
    },
    async record(item, fields, passages = []) {
      if (form === 'json' || form === 'ndjson') return await json(item);
      if (form === 'ids') return await stdout.write(rowsAs('ids', [item], fields, drawing()));
      if (form === 'tsv') return await stdout.write(`${tsvRecord(item, fields)}${tsvOf(passages, PASSAGE_COLUMNS)}`);
      const texts = passages.map((passage) => drawPassage(passage, drawing()));
      await stdout.write(`${drawRecord(item, fields, drawing())}${texts.join('')}`);
    },
    text: (text) => stdout.write(stdout.isTerminal ? printable(text) : text),
    async bytes(stream) {
      const decoder = new TextDecoder();
      for await (const part of stream) {
        await stdout.write(stdout.isTerminal ? printable(decoder.decode(part, { stream: true })) : part);
      }
    },
    async note(text) {
      if (!isQuiet && form !== 'json') await stderr.write(`${printable(text)}\n`);
    },
  };
}

function rowsAs<Item>(form: Form, items: readonly Item[], columns: readonly Column<Item>[], drawing: Drawing): string {
  if (form === 'people') return drawTable(items, columns, drawing);
  if (form === 'ndjson') return items.map((item) => `${JSON.stringify(item)}\n`).join('');
  const [first] = columns;
  if (form === 'ids') return items.map((item) => `${forPrograms(first?.of(item))}\n`).join('');
  return tsvOf(items, columns);
}

/** Columns of longer texts for programs; one without a title is the text of the thing itself. */
const PASSAGE_COLUMNS: readonly Column<Passage>[] = [
  column('TITLE', ({ title = 'TEXT' }) => title),
  column('TEXT', ({ text }) => text),
];

function drawPassage({ title, text, isVerbatim = false }: Passage, { style, width }: Drawing): string {
  const heading = title === undefined ? '' : `${style.colour(printable(title), 'bold')}\n`;
  const body = printable(text);
  return `\n${heading}${body === '' ? '' : `${isVerbatim ? body : wrapped(body, width)}\n`}`;
}

function tsvRecord<Item>(item: Item, fields: readonly Column<Item>[]): string {
  return fields
    .map(({ title, of }) =>
      tsvOf(
        [item],
        [
          { title, of: () => title },
          { title, of },
        ],
      ),
    )
    .join('');
}

/** Members that the SDK adds to the body of a page. */
type Added = 'data' | 'next' | 'nextCursor';

/** Returns the body of a page as the API answered it. */
export function bodyOf<Body, Item>(page: Page<Body, Item>): object {
  const { data: _data, next: _next, ...body } = page as Page<object, Item>;
  // The cursor of some lists stands in another member, and only the SDK puts it beside.
  if (!('pagination' in body) && !('page' in body)) return body;
  const { nextCursor: _nextCursor, ...rest } = body as Omit<Page<object, Item>, Exclude<Added, 'nextCursor'>>;
  return rest;
}
