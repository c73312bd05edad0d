/** Groups of commands, in the order of the sheet of keys. */
export const COMMAND_GROUPS = ['Everywhere', 'Go to', 'Lists', 'Finding', 'Transcript'] as const;

export interface CommandFacts {
  readonly title: string;
  readonly group: (typeof COMMAND_GROUPS)[number];
  /** Keys, in order of preference: `Mod+k`, `g f` (one after the other), `Shift+j`, `?`, `Enter`. */
  readonly keys: readonly string[];
}

/**
 * Every command with its keys. Handlers, search palette, sheet of keys and tooltips read this one table, so that no key
 * is shown that does nothing.
 */
export const COMMANDS = {
  'palette.open': { title: 'Search, or find a command', group: 'Everywhere', keys: ['Mod+k'] },
  'keys.show': { title: 'Show the keys', group: 'Everywhere', keys: ['?'] },
  'link.copy': { title: 'Copy a link to this page', group: 'Everywhere', keys: ['y'] },
  'id.copy': { title: 'Copy the id', group: 'Everywhere', keys: ['Shift+y'] },
  'page.up': { title: 'Up, or end the selection', group: 'Everywhere', keys: ['Escape'] },
  'action.undo': { title: 'Undo the last change', group: 'Everywhere', keys: ['u'] },
  'go.home': { title: 'Home', group: 'Go to', keys: ['g h'] },
  'go.findings': { title: 'Findings', group: 'Go to', keys: ['g f'] },
  'go.conversations': { title: 'Conversations', group: 'Go to', keys: ['g c'] },
  'filter.focus': { title: 'Filter', group: 'Lists', keys: ['/'] },
  'list.next': { title: 'Next row', group: 'Lists', keys: ['j', 'ArrowDown'] },
  'list.previous': { title: 'Previous row', group: 'Lists', keys: ['k', 'ArrowUp'] },
  'list.first': { title: 'First row', group: 'Lists', keys: ['Home'] },
  'list.last': { title: 'Last row that is loaded', group: 'Lists', keys: ['End'] },
  'list.open': { title: 'Open', group: 'Lists', keys: ['Enter', 'o'] },
  'list.select': { title: 'Select, or leave out', group: 'Lists', keys: ['x'] },
  'list.extend-next': { title: 'Select on to the next row', group: 'Lists', keys: ['Shift+j', 'Shift+ArrowDown'] },
  'list.extend-previous': {
    title: 'Select on to the previous row',
    group: 'Lists',
    keys: ['Shift+k', 'Shift+ArrowUp'],
  },
  'list.select-all': { title: 'Select all rows that are loaded', group: 'Lists', keys: ['Mod+a'] },
  'list.refresh': { title: 'Read the list again', group: 'Lists', keys: ['Shift+r'] },
  'finding.confirm': { title: 'Confirm', group: 'Finding', keys: ['c'] },
  'finding.dismiss': { title: 'Dismiss', group: 'Finding', keys: ['d'] },
  'finding.resolve': { title: 'Resolve', group: 'Finding', keys: ['r'] },
  'finding.snooze': { title: 'Snooze', group: 'Finding', keys: ['z'] },
  'finding.assign': { title: 'Assign', group: 'Finding', keys: ['a'] },
  'finding.work-item': { title: 'Work item', group: 'Finding', keys: ['w'] },
  'finding.comment': { title: 'Comment', group: 'Finding', keys: ['i'] },
  'item.next': { title: 'Next of the list one came from', group: 'Finding', keys: [']'] },
  'item.previous': { title: 'Previous of the list one came from', group: 'Finding', keys: ['['] },
  'evidence.next': { title: 'Next evidence', group: 'Transcript', keys: ['n'] },
  'evidence.previous': { title: 'Previous evidence', group: 'Transcript', keys: ['p'] },
  'occurrence.next': { title: 'Next occurrence', group: 'Transcript', keys: ['Shift+n'] },
  'occurrence.previous': { title: 'Previous occurrence', group: 'Transcript', keys: ['Shift+p'] },
} as const satisfies Readonly<Record<string, CommandFacts>>;

export type CommandId = keyof typeof COMMANDS;

export const COMMAND_IDS = Object.keys(COMMANDS) as CommandId[];

export function commandOf(id: CommandId): CommandFacts {
  return COMMANDS[id];
}
