/** Tells whether a tool matches one of several names and globs; `*` stands for any characters. */
export type ToolMatcher = (toolName: string) => boolean;

const MAX_NAME_LENGTH = 200;

/** Parses names and globs once; a name is compared exactly, case included. */
export function toolMatcher(patterns: readonly string[]): ToolMatcher {
  const names = new Set(patterns.filter((pattern) => !pattern.includes('*')));
  const globs = patterns.filter((pattern) => pattern.includes('*')).map((pattern) => pattern.split('*'));
  return (toolName) =>
    names.has(toolName) || globs.some((parts) => matchesGlob(parts, toolName.slice(0, MAX_NAME_LENGTH)));
}

/**
 * Matches the first part at the start, the last at the end, and the others greedily in between: the earliest place of
 * each is always right.
 */
function matchesGlob(parts: readonly string[], name: string): boolean {
  const first = parts[0] ?? '';
  const last = parts.at(-1) ?? '';
  if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last)) return false;
  let from = first.length;
  const end = name.length - last.length;
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, from);
    if (found === -1 || found + part.length > end) return false;
    from = found + part.length;
  }
  return true;
}
