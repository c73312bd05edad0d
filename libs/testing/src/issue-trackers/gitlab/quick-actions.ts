/** Code, quotes and HTML in the text, which GitLab takes out before it looks for quick actions. */
const NOT_ACTIONS = /^```[\s\S]+?\n```$|^>>>\n[\s\S]+?\n>>>$|`[^`\n]+`|^<[^>]+?>\n[\s\S]+?\n<\/[^>]+?>$/gm;
const ACTION = /^\/([a-z_]+)(?:[ \t]+(\S.*))?$/gm;

/**
 * Finds quick actions like GitLab's own reader, which knows less about Markdown than GitLab's renderer: it takes the
 * first line of three backticks for the end of any code.
 */
export function quickActionsIn(text: string): { name: string; argument: string }[] {
  return [...text.replace(/\r\n/g, '\n').replace(NOT_ACTIONS, '').matchAll(ACTION)].map(
    ([, name = '', argument = '']) => ({
      name,
      argument,
    }),
  );
}
