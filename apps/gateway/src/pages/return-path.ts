import { hasControlCharacter } from '@clew/kernel';
import { MAX_RETURN_PATH_LENGTH } from '@clew/contracts';

export const HOME = '/';
/** Origin that no path can leave without naming another host. */
const NOWHERE = 'http://nowhere.invalid';

/**
 * Path of this deployment to go to after a sign-in; anything else than such a path leads home, so that nobody is led
 * elsewhere. Browsers take a backslash for a slash, and skip control characters.
 */
export function returnPathOf(given: string | undefined): string {
  if (given === undefined || given.length > MAX_RETURN_PATH_LENGTH) return HOME;
  if (!given.startsWith('/') || given.includes('\\') || hasControlCharacter(given)) return HOME;
  const url = URL.parse(given, NOWHERE);
  if (url === null || url.origin !== NOWHERE || url.username !== '') return HOME;
  const path = `${url.pathname}${url.search}${url.hash}`;
  // Dot segments are resolved by now, and may leave two slashes in front.
  return path.startsWith('//') ? HOME : path;
}
