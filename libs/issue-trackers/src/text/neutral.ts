/** Character without width between two parts of a reference, which is then plain text for every provider. */
const BREAK = '\u200B';

/**
 * Rules that take references apart. Providers look for them in the rendered text, so an escape in the markup does not
 * help; a character between their parts does, and nobody sees it. Some readers take it for a letter of a domain, so it
 * stands on both sides of the signs in addresses.
 */
const REFERENCES: readonly (readonly [RegExp, string])[] = [
  // Users and teams (`@name`, `@org/team`), and mail addresses.
  [/@/g, `${BREAK}@${BREAK}`],
  // Issues, merge requests, snippets, epics, milestones, labels, alerts, iterations, and GitLab's `[issue:1]`.
  [/[#!$&%~^*[](?!\s)/g, `$&${BREAK}`],
  // Keys of Jira and Linear, GitHub's `GH-1`, GitLab's `GL-1`.
  [/(?<=[A-Za-z0-9_])-(?=\d)/g, `-${BREAK}`],
  // Addresses, which also name issues; and bare domains, which some editors turn into links.
  [/:(?=\/)/g, `:${BREAK}`],
  [/(?<=[\p{L}\p{N}_])\.(?=[\p{L}_])|(?<=www)\./giu, `${BREAK}.${BREAK}`],
];
/** Name of a commit: a word of hexadecimal digits. */
const COMMIT = /(?<![0-9A-Za-z])[0-9a-f]{7,64}(?![0-9A-Za-z])/gi;

/** Takes the effect of mentions, references and addresses from a text. */
export function withoutReferences(text: string): string {
  const withoutCommits = text.replace(COMMIT, (commit) => commit.replace(/.{6}(?=.)/g, `$&${BREAK}`));
  return REFERENCES.reduce((changed, [pattern, replacement]) => changed.replace(pattern, replacement), withoutCommits);
}
