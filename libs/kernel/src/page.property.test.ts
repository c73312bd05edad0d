import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AppError } from './app-error.ts';
import { createCursorCodec } from './cursor.ts';
import { mergeOrdered, page, takeSlice, type ListDefinition, type Slice, type SliceRequest } from './page.ts';

const codec = createCursorCodec(Buffer.alloc(32, 1));
const LIST: ListDefinition = { name: 'things' };
const PROJECT = { projectId: 'prj_a', limit: 10 };
const numbers = fc
  .uniqueArray(fc.nat(100), { maxLength: 30, size: 'max' })
  .map((items) => items.toSorted((a, b) => a - b));
const ordered = fc.array(fc.nat(20), { maxLength: 10 }).map((items) => items.toSorted((a, b) => a - b));

async function* from(items: readonly number[], onEnd: () => void) {
  try {
    yield* items;
  } finally {
    onEnd();
  }
}

const after = (items: readonly number[], { after: key }: SliceRequest) =>
  items.filter((item) => key === undefined || item > Number(key[0]));
const keyOf = (item: number) => [item];

function readNothing(): Promise<Slice<never>> {
  return Promise.reject(new Error('was read'));
}

describe('page', () => {
  it('walks through every item once and in order, whatever bounds a slice ends by', async () => {
    const bounds = fc.record({
      limit: fc.integer({ min: 1, max: 7 }),
      maxSize: fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined }),
      maxLookedAt: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(numbers, bounds, async (items, { limit, maxSize, maxLookedAt }) => {
        const isEven = (item: number) => item % 2 === 0;
        const seen: number[] = [];
        let cursor: string | undefined;
        do {
          const answer = await page(codec, LIST, { ...PROJECT, limit, cursor }, (slice) =>
            takeSlice(after(items, slice), {
              ...{ limit: slice.limit, keyOf },
              ...(maxSize === undefined ? {} : { size: { max: maxSize, of: (item: number) => item } }),
              ...(maxLookedAt === undefined ? {} : { among: { accepts: isEven, maxLookedAt } }),
            }),
          );
          expect(answer.items.length).toBeLessThanOrEqual(limit);
          const size = answer.items.reduce((sum, item) => sum + item, 0);
          expect(answer.items.length < 2 || size <= (maxSize ?? Infinity)).toBe(true);
          seen.push(...answer.items);
          cursor = answer.nextCursor ?? undefined;
        } while (cursor !== undefined);
        expect(seen).toEqual(maxLookedAt === undefined ? items : items.filter(isEven));
      }),
    );
  });

  it('has a cursor only where something follows', async () => {
    await fc.assert(
      fc.asyncProperty(numbers, fc.integer({ min: 1, max: 30 }), async (items, limit) => {
        const { nextCursor } = await page(codec, LIST, { ...PROJECT, limit }, () => takeSlice(items, { limit, keyOf }));
        expect(nextCursor !== null).toBe(items.length > limit);
      }),
    );
  });

  it('answers what else was read, and nothing of where the next slice begins', async () => {
    const answer = await page(codec, LIST, PROJECT, async () => ({ items: [1], next: undefined, count: 7 }));
    expect(answer).toEqual({ items: [1], count: 7, nextCursor: null });
  });

  it('refuses the cursor of another list, project or filter, or with any byte changed, before anything is read', async () => {
    const filter = fc.record({ status: fc.constantFrom('a', 'b'), q: fc.option(fc.string(), { nil: undefined }) });
    const request = fc.record({
      name: fc.constantFrom('things', 'others'),
      projectId: fc.constantFrom('prj_a', 'prj_b'),
      filters: filter,
    });
    const change = fc.option(fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 })), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(request, request, change, fc.nat(), async (made, used, changed, key) => {
        fc.pre(changed !== undefined || JSON.stringify(made) !== JSON.stringify(used));
        const next = async () => ({ items: [], next: [key] });
        const { nextCursor } = await page(codec, made, { ...made, limit: 1 }, next);
        const cursor = changed === undefined ? nextCursor! : withByteChanged(nextCursor!, ...changed);
        const refused = page(codec, used, { ...used, limit: 1, cursor }, readNothing);
        await expect(refused).rejects.toMatchObject({
          code: 'INVALID_CURSOR',
          details: [{ path: 'query.cursor', message: expect.any(String) }],
        });
      }),
    );
  });

  it('refuses a cursor with the code of its list', async () => {
    const refused = page(
      codec,
      { name: 'things', invalidCursor: 'INVALID_FILTER' },
      { ...PROJECT, cursor: 'x' },
      readNothing,
    );
    const error = await refused.catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ code: 'INVALID_FILTER', status: 400 });
  });
});

function withByteChanged(cursor: string, at: number, change: number): string {
  const bytes = Buffer.from(cursor, 'base64url');
  const index = at % bytes.length;
  bytes[index] = (bytes[index] ?? 0) ^ change;
  return bytes.toString('base64url');
}

describe('takeSlice', () => {
  it('ends the walk, also where it stops before the end of it', async () => {
    for (const limit of [1, 3, 5]) {
      let ended = 0;
      const walk = from([1, 2, 3], () => (ended += 1));
      await takeSlice(walk, { limit, keyOf });
      expect(ended).toBe(1);
    }
  });

  it('takes an item that is larger than a slice may be, alone', async () => {
    const size = { max: 5, of: (item: number) => item };
    expect(await takeSlice([9, 10], { limit: 3, keyOf, size })).toEqual({ items: [9], next: [9] });
  });

  it('looks at no more than it may, and goes on from there', async () => {
    let lookedAt = 0;
    const accepts = () => {
      lookedAt += 1;
      return false;
    };
    const slice = await takeSlice([1, 2, 3, 4], { limit: 1, keyOf, among: { accepts, maxLookedAt: 2 } });
    expect({ slice, lookedAt }).toEqual({ slice: { items: [], next: [2] }, lookedAt: 2 });
  });
});

describe('mergeOrdered', () => {
  it('gives all items of both, in order, and ends both also where it is left early', async () => {
    await fc.assert(
      fc.asyncProperty(ordered, ordered, fc.nat(20), async (some, others, taken) => {
        let ended = 0;
        const merged = mergeOrdered(
          from(some, () => (ended += 1)),
          from(others, () => (ended += 1)),
          (a, b) => a - b,
        );
        const seen: number[] = [];
        for await (const item of merged) {
          if (seen.length === taken) break;
          seen.push(item);
        }
        const all = [...some, ...others].toSorted((a, b) => a - b);
        expect(seen).toEqual(all.slice(0, taken));
        expect(ended).toBe(2);
      }),
    );
  });

  it('takes items that are there already beside those that come', async () => {
    const merged = mergeOrdered(
      [1, 4],
      from([2, 3], () => undefined),
      (a, b) => a - b,
    );
    expect((await takeSlice(merged, { limit: 9, keyOf })).items).toEqual([1, 2, 3, 4]);
  });
});
