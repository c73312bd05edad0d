/** First segments of the paths of pages; `/` is one as well. */
const PAGE_FOLDERS: ReadonlySet<string> = new Set([
  'account',
  'sign-in',
  'sign-out',
  'setup',
  'device',
  'password',
  'invitations',
  'resets',
]);

/** Tells whether a path, given by its segments, belongs to the pages that the gateway serves. */
export function isPagePath(segments: readonly string[]): boolean {
  return PAGE_FOLDERS.has(segments[0] ?? '');
}
