export { mistakeIn, synthesisOf } from './mistake-in.ts';
export type { Mistake } from './mistake.ts';
