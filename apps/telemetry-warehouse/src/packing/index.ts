export { packed, unpacked } from './packing.ts';
