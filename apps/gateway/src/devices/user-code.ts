import { randomInt } from 'node:crypto';
import { USER_CODE_LETTERS } from '@clew/contracts';

const LENGTH = 8;
const HALF = LENGTH / 2;

/** Makes a user code: eight letters, some 34 bits. */
export function newUserCode(): string {
  return Array.from({ length: LENGTH }, () => USER_CODE_LETTERS.charAt(randomInt(USER_CODE_LETTERS.length))).join('');
}

/** User code as it is shown, in two halves. */
export function shownUserCode(code: string): string {
  return `${code.slice(0, HALF)}-${code.slice(HALF)}`;
}
