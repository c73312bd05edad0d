import { open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { chunksOf, openJournal, type JournalHeader } from './chunk-journal.ts';
import { useModelsFolder } from '../test-support/models-folder.ts';

const newFolder = useModelsFolder();
const HEADER: JournalHeader = { identity: 'etag 1000', sizeBytes: 1_000, chunkBytes: 64 };
const CONTENT = Buffer.from(Array.from({ length: HEADER.sizeBytes }, (_, index) => (index * 7) % 251));

async function filesIn(folder: string) {
  const data = await open(join(folder, 'data'), 'w+');
  return { data, path: join(folder, 'chunks') };
}

describe('the chunks of a file', () => {
  it('cover every byte once, whatever its size', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 5_000 }), fc.integer({ min: 1, max: 700 }), (sizeBytes, chunkBytes) => {
        const chunks = chunksOf({ sizeBytes, chunkBytes });
        let position = 0;
        for (const [index, chunk] of chunks.entries()) {
          expect(chunk).toMatchObject({ index, start: position });
          expect(chunk.end - chunk.start).toBeGreaterThan(0);
          expect(chunk.end - chunk.start).toBeLessThanOrEqual(chunkBytes);
          position = chunk.end;
        }
        expect(position).toBe(sizeBytes);
      }),
    );
  });
});

describe('a journal that a killed process left', () => {
  it('is believed only where the bytes on the disk are the ones that came, cut or damaged as it may be', async () => {
    const chunks = chunksOf(HEADER);
    const damage = fc.record({
      written: fc.subarray(chunks.map(({ index }) => index)),
      noted: fc.subarray(chunks.map(({ index }) => index)),
      flipped: fc.array(fc.integer({ min: 0, max: HEADER.sizeBytes - 1 }), { maxLength: 3 }),
      lostJournalBytes: fc.integer({ min: 0, max: 90 }),
    });
    await fc.assert(
      fc.asyncProperty(damage, async ({ written, noted, flipped, lostJournalBytes }) => {
        const { data, path } = await filesIn(await newFolder());
        const before = await openJournal(path, data, HEADER);
        const onDisk = Buffer.alloc(HEADER.sizeBytes);
        for (const index of written)
          CONTENT.copy(onDisk, chunks[index]!.start, chunks[index]!.start, chunks[index]!.end);
        for (const at of flipped) onDisk.writeUInt8(onDisk.readUInt8(at) ^ 0x55, at);
        await data.write(onDisk, 0, onDisk.length, 0);
        for (const index of noted) await before.add(index, checksum(CONTENT, chunks[index]!));
        await before.close();
        const text = await readFile(path);
        await writeFile(path, text.subarray(0, text.length - lostJournalBytes));
        const after = await openJournal(path, data, HEADER);
        for (const chunk of chunks) {
          const isWhole = checksum(onDisk, chunk) === checksum(CONTENT, chunk);
          if (after.isDone(chunk.index)) expect({ chunk, isWhole }).toEqual({ chunk, isWhole: true });
          const mustBeKnown = isWhole && noted.includes(chunk.index) && lostJournalBytes === 0;
          if (mustBeKnown) expect(after.isDone(chunk.index)).toBe(true);
        }
        await after.close();
        await data.close();
      }),
      { numRuns: 40 },
    );
  });

  it('of other content, or another size of chunks, is worth nothing', async () => {
    for (const other of [{ identity: 'another' }, { chunkBytes: 32 }, { sizeBytes: 999 }]) {
      const { data, path } = await filesIn(await newFolder());
      await data.write(CONTENT, 0, CONTENT.length, 0);
      const before = await openJournal(path, data, HEADER);
      await before.add(0, checksum(CONTENT, before.chunks[0]!));
      await before.close();
      const after = await openJournal(path, data, { ...HEADER, ...other });
      expect(after.chunks.filter(({ index }) => after.isDone(index))).toEqual([]);
      expect((await data.stat()).size).toBe({ ...HEADER, ...other }.sizeBytes);
      await after.close();
      await data.close();
    }
  });
});

function checksum(bytes: Buffer, { start, end }: { start: number; end: number }): number {
  return crc32(bytes.subarray(start, end));
}
