/** Address of the gateway's sign-in page, which leads back to where one was. */
export function signInAddress(base: string, place: Pick<Location, 'pathname' | 'search' | 'hash'>): string {
  const address = new URL('sign-in', base);
  address.searchParams.set('returnTo', `${place.pathname}${place.search}${place.hash}`);
  return address.href;
}

/** Path below which the pages of the Workbench lie: `/`, or `/clew` behind a proxy. */
export function basePath(base: string): string {
  const { pathname } = new URL('.', base);
  return pathname.length > 1 ? pathname.slice(0, -1) : pathname;
}
