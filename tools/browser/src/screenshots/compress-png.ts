import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const MAX_COLOURS = 256;
const CHANNELS_OF_COLOUR_TYPE: Readonly<Record<number, number>> = { 2: 3, 6: 4 };

interface Picture {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue of each point as one number. */
  readonly colours: Uint32Array;
}

/**
 * Makes the picture of a page small: pages have few colours, so the 256 most frequent become a palette, and the others,
 * which are edges of letters, take the nearest of these.
 */
export function compressPng(png: Buffer): Buffer {
  const { width, height, colours } = decode(png);
  const { palette, indexOf } = paletteOf(colours);
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) rows[y * (width + 1) + x + 1] = indexOf.get(colours[y * width + x] ?? 0) ?? 0;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const colourTable = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', colourTable),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function paletteOf(colours: Uint32Array): { palette: number[]; indexOf: Map<number, number> } {
  const counts = new Map<number, number>();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const byUse = [...counts].toSorted(([, one], [, other]) => other - one).map(([colour]) => colour);
  const palette = byUse.slice(0, MAX_COLOURS);
  return {
    palette,
    indexOf: new Map(byUse.map((colour, at) => [colour, at < MAX_COLOURS ? at : nearest(palette, colour)])),
  };
}

function nearest(palette: readonly number[], colour: number): number {
  let best = 0;
  let least = Infinity;
  for (const [at, each] of palette.entries()) {
    const distance = [16, 8, 0].reduce(
      (sum, shift) => sum + (((each >> shift) & 255) - ((colour >> shift) & 255)) ** 2,
      0,
    );
    if (distance >= least) continue;
    best = at;
    least = distance;
  }
  return best;
}

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const around = Buffer.alloc(8);
  around.writeUInt32BE(data.length, 0);
  around.writeUInt32BE(crc32(typed), 4);
  return Buffer.concat([around.subarray(0, 4), typed, around.subarray(4)]);
}

/** Reads a picture as browsers write it: eight bits a channel, not interlaced. */
function decode(png: Buffer): Picture {
  if (!png.subarray(0, 8).equals(SIGNATURE)) throw new Error('This is no PNG');
  const data: Buffer[] = [];
  let header: Buffer = Buffer.alloc(0);
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    const content = png.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') header = content;
    if (type === 'IDAT') data.push(content);
    at += length + 12;
  }
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const channels = CHANNELS_OF_COLOUR_TYPE[header[9] ?? 0];
  if (header[8] !== 8 || channels === undefined || header[12] !== 0) throw new Error('This PNG is of another kind');
  const bytes = unfiltered(inflateSync(Buffer.concat(data)), width * channels, height, channels);
  const colours = Uint32Array.from({ length: width * height }, (_, point) => bytes.readUIntBE(point * channels, 3));
  return { width, height, colours };
}

/** Takes back the filter of each row, by which it was written as the difference from what lies left and above. */
function unfiltered(rows: Buffer, stride: number, height: number, channels: number): Buffer {
  const bytes = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y += 1) {
    const filter = rows[y * (stride + 1)] ?? 0;
    for (let x = 0; x < stride; x += 1) {
      const at = y * stride + x;
      const left = x < channels ? 0 : (bytes[at - channels] ?? 0);
      const above = y === 0 ? 0 : (bytes[at - stride] ?? 0);
      const corner = x < channels || y === 0 ? 0 : (bytes[at - stride - channels] ?? 0);
      bytes[at] = (rows[y * (stride + 1) + x + 1] ?? 0) + predicted(filter, left, above, corner);
    }
  }
  return bytes;
}

function predicted(filter: number, left: number, above: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  if (filter !== 4) return 0;
  const [toLeft, toAbove, toCorner] = [above - corner, left - corner, left + above - 2 * corner].map(Math.abs);
  if (Number(toLeft) <= Number(toAbove) && Number(toLeft) <= Number(toCorner)) return left;
  return Number(toAbove) <= Number(toCorner) ? above : corner;
}
