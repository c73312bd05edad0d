export { packed, unpacked, unpackedParts } from './packing.ts';
