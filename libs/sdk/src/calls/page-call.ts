import type { Answer } from '../http/send.ts';
import { ApiCall } from './api-call.ts';

/** Page of a list: the body as it came, with its things under one name, and the way to the next page. */
export type Page<Body, Item> = Body & {
  readonly data: Item[];
  readonly nextCursor: string | null;
  /** Reads the next page; null after the last one. A page may be empty and not be the last. */
  next(): PageCall<Body, Item> | null;
};

/** Call of a list: a promise of its first page, and an iterable of the things on all pages. */
export class PageCall<Body, Item, Code extends string = string>
  extends ApiCall<Page<Body, Item>, Code>
  implements AsyncIterable<Item>
{
  /** Iterates over the things of this page and all further ones, which are read one at a time. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void> {
    for await (const page of this.pages()) yield* page.data;
  }

  /** Iterates over this page and all further ones. */
  async *pages(): AsyncGenerator<Page<Body, Item>, void> {
    for (let page: Page<Body, Item> | null = await this; page !== null; page = await page.next()) yield page;
  }

  /** Gathers the first things, at most `max`, from as many pages as it takes. */
  async toArray({ max }: { max: number }): Promise<Item[]> {
    const items: Item[] = [];
    if (max <= 0) return items;
    for await (const item of this) {
      items.push(item);
      if (items.length >= max) break;
    }
    return items;
  }
}

/** Reads a page by its cursor, or the first one. */
export type ReadPage = (cursor: string | undefined) => Promise<Answer<unknown>>;

/** Paths of the members of a page. */
export interface PageMembers {
  list: string;
  cursor: string;
}

/** Calls a list, from its beginning or from a cursor on. */
export function callPages<Body, Item>(read: ReadPage, members: PageMembers, cursor?: string): PageCall<Body, Item> {
  const answer = read(cursor).then((answer) => {
    const data = memberAt(answer.data, members.list) as Item[];
    const nextCursor = memberAt(answer.data, members.cursor) as string | null;
    const next = () => (nextCursor === null ? null : callPages<Body, Item>(read, members, nextCursor));
    return { ...answer, data: { ...(answer.data as Body), data, nextCursor, next } };
  });
  return new PageCall<Body, Item>(answer);
}

function memberAt(body: unknown, path: string): unknown {
  return path.split('.').reduce((value, name) => (value as Record<string, unknown>)[name], body);
}
