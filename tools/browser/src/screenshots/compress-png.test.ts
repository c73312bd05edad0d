import { deflateSync } from 'node:zlib';
import { expect, it } from '@jest/globals';
import { compressPng } from './compress-png.ts';

/** Picture as a browser writes it; the checksums are not read. */
function png(width: number, height: number, rows: readonly (readonly number[])[]): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, Buffer.from(type, 'latin1'), data, Buffer.alloc(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const data = deflateSync(Buffer.from(rows.flat()));
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), chunk('IHDR', header), chunk('IDAT', data)]);
}

/** Rows of one picture, each by another filter: white, then grey where a letter ends. */
const ROWS = [
  [0, 255, 255, 255, 255, 255, 255],
  [1, 255, 255, 255, 0, 0, 0],
  [2, 0, 0, 0, 129, 129, 129],
  [3, 128, 128, 128, 64, 64, 64],
  [4, 0, 0, 0, 0, 0, 0],
];

it('keeps the points of a picture, whatever the filters of its rows', () => {
  const small = compressPng(png(2, ROWS.length, ROWS));
  expect(small.readUInt32BE(16)).toBe(2);
  expect(small[25]).toBe(3);
  const palette = small.subarray(small.indexOf('PLTE') + 4, small.indexOf('IDAT') - 8);
  expect([...palette].filter((_, at) => at % 3 === 0).toSorted((one, other) => one - other)).toEqual([128, 255]);
});

it('refuses what it cannot read', () => {
  expect(() => compressPng(Buffer.from('GIF89a, and more'))).toThrow('no PNG');
});
