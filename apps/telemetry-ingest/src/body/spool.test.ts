import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createByteBudget } from './byte-budget.ts';
import { openSpools } from './spool.ts';

const MIB = 1024 * 1024;
const PROJECT = 'prj_one';
let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'clew-ingest-test-'));
});

afterEach(() => rm(directory, { recursive: true, force: true }));

function openBudget(maxBytes = 100 * MIB) {
  return createByteBudget({ maxBytes, orphanedBytes: () => 0 });
}

it('gives back any range of what was written, in any pieces', async () => {
  const spools = await openSpools({ directory, maxOpen: 1 });
  const pieces = fc.array(fc.uint8Array({ minLength: 1, maxLength: 60_000 }), { minLength: 1, maxLength: 12 });
  const places = fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(300_000)), { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(pieces, places, async (written, ranges) => {
      const spool = await spools.open(PROJECT, openBudget().open(PROJECT));
      for (const piece of written) await spool.write(Buffer.from(piece));
      const whole = Buffer.concat(written);
      expect(spool.sizeBytes).toBe(whole.length);
      for (const [place, length] of ranges) {
        const start = Math.floor(place * whole.length);
        const end = Math.min(start + length, whole.length);
        await spool.bring(start, end);
        const found = spool.bytes.subarray(start - spool.offset, end - spool.offset);
        if (end > start) expect(found.equals(whole.subarray(start, end))).toBe(true);
      }
      const chunks: Buffer[] = [];
      for await (const chunk of spool.chunks()) chunks.push(chunk);
      expect(Buffer.concat(chunks).equals(whole)).toBe(true);
      await spool.close();
    }),
    { numRuns: 40 },
  );
});

it('has no name while it is open, and removes what a process that died left', async () => {
  await writeFile(join(directory, 'clew-ingest-spool-left'), 'x');
  await writeFile(join(directory, 'of somebody else'), 'x');
  const spools = await openSpools({ directory, maxOpen: 1 });
  const spool = await spools.open(PROJECT, openBudget().open(PROJECT));
  await spool.write(Buffer.from('content'));
  expect(await readdir(directory)).toEqual(['of somebody else']);
  await spool.close();
});

it('so many are open at a time, of one project never all, and closing one twice makes room for one', async () => {
  const spools = await openSpools({ directory, maxOpen: 2 });
  const held = openBudget().open(PROJECT);
  const first = await spools.open(PROJECT, held);
  await expect(spools.open(PROJECT, held)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  const second = await spools.open('prj_two', held);
  await expect(spools.open('prj_three', held)).rejects.toMatchObject({
    ...{ code: 'OVERLOADED', headers: { 'retry-after': '5' } },
  });
  await first.close();
  await first.close();
  expect(spools.openCount).toBe(1);
  await second.close();
  expect(spools.openCount).toBe(0);
});

it('a file that cannot be made, or for whose window there is no room, leaves its place free', async () => {
  const spools = await openSpools({ directory, maxOpen: 1 });
  const full = openBudget(100_000).open(PROJECT);
  await expect(spools.open(PROJECT, full)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  await rm(directory, { recursive: true });
  await expect(spools.open(PROJECT, openBudget().open(PROJECT))).rejects.toMatchObject({ code: 'OVERLOADED' });
  expect(spools.openCount).toBe(0);
});
