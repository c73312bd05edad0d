/** Keeps or removes a cookie, as a browser does with the `Set-Cookie` line of an answer. */
export function keepCookie(cookies: Map<string, string>, line: string): void {
  const [pair = ''] = line.split(';', 1);
  const [name = '', value = ''] = pair.split('=', 2);
  if (value === '' || /expires=Thu, 01 Jan 1970/i.test(line)) cookies.delete(name);
  else cookies.set(name, value);
}
