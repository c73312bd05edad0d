const BROWSERS: readonly (readonly [name: string, sign: RegExp])[] = [
  ['Edge', /\bEdg\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\bFirefox\//],
  ['Chrome', /Chrom(?:e|ium)\//],
  ['Safari', /\bSafari\//],
  ['the command line', /^clew\b/],
];
const SYSTEMS: readonly (readonly [name: string, sign: RegExp])[] = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(?:iPhone|iPad)\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
];

/** Browser and system of a session, as far as they can be told. */
export function agentText(userAgent: string | null): string {
  if (userAgent === null || userAgent === '') return 'An unknown program';
  const browser = BROWSERS.find(([, sign]) => sign.test(userAgent))?.[0];
  const system = SYSTEMS.find(([, sign]) => sign.test(userAgent))?.[0];
  if (browser === undefined) return userAgent.slice(0, 80);
  return system === undefined ? browser : `${browser} on ${system}`;
}
