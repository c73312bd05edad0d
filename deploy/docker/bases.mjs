import { readFileSync, writeFileSync } from 'node:fs';

const FILE = new URL('./bases.json', import.meta.url);
const DOCKERFILE = new URL('./Dockerfile', import.meta.url);
const PINNED = /@sha256:[0-9a-f]{64}$/;

/** Base images, keyed by the bake file variable that names each. */
export function readBases(file = FILE) {
  const { variable } = JSON.parse(readFileSync(file, 'utf8'));
  return Object.fromEntries(Object.entries(variable).map(([name, { default: image }]) => [name, image]));
}

/**
 * Writes the base images to bases.json, for builds of all images, and to the Dockerfile, for the build of one image.
 */
export function writeBases(bases, file = FILE, dockerfile = DOCKERFILE) {
  const variable = Object.fromEntries(Object.entries(bases).map(([name, image]) => [name, { default: image }]));
  writeFileSync(file, `${JSON.stringify({ variable }, null, 2)}\n`);
  const text = readFileSync(dockerfile, 'utf8');
  writeFileSync(
    dockerfile,
    text.replace(/^ARG (\w*BASE)=.*$/gm, (line, name) => (name in bases ? `ARG ${name}=${bases[name]}` : line)),
  );
}

/** Image reference without its digest. */
export const withoutDigest = (image) => image.replace(/@sha256:[0-9a-f]+$/, '');

/** Variables whose base image has no digest and may therefore change between builds. */
export function unpinned(bases) {
  return Object.keys(bases).filter((name) => !PINNED.test(bases[name]));
}
