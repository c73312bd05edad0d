/** Address that may stand in a link to elsewhere: only http and https, with no name or password in it. */
export function safeExternalUrl(given: string | null): string | undefined {
  const url = given === null ? null : URL.parse(given);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return undefined;
  return url.href;
}
