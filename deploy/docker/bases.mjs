import { readFileSync, writeFileSync } from 'node:fs';

const FILE = new URL('./bases.json', import.meta.url);
const PINNED = /@sha256:[0-9a-f]{64}$/;

/** The bases of the images, by the variable of the bake file that names each. */
export function readBases(file = FILE) {
  const { variable } = JSON.parse(readFileSync(file, 'utf8'));
  return Object.fromEntries(Object.entries(variable).map(([name, { default: image }]) => [name, image]));
}

export function writeBases(bases, file = FILE) {
  const variable = Object.fromEntries(Object.entries(bases).map(([name, image]) => [name, { default: image }]));
  writeFileSync(file, `${JSON.stringify({ variable }, null, 2)}\n`);
}

/** The image without its digest. */
export const withoutDigest = (image) => image.replace(/@sha256:[0-9a-f]+$/, '');

/** The variables whose base may be another tomorrow. */
export function unpinned(bases) {
  return Object.keys(bases).filter((name) => !PINNED.test(bases[name]));
}
