import { UsageError } from '@clew/runtime';

/** Parses the user that is to own the files, if one is named. */
export function ownerOf(text: string | undefined): number | undefined {
  const owner = text === undefined ? undefined : Number(text);
  if (owner !== undefined && !Number.isInteger(owner)) throw new UsageError('--owner is the number of a user');
  return owner;
}
