/** Groups of commands that only one screen takes. No two of them are taken at once, so they may share keys. */
export const SCREEN_GROUPS = ['Finding', 'Knowledge', 'Datasets', 'Traces', 'Expectations'] as const;

/** Groups of commands, in the order of the sheet of keys. */
export const COMMAND_GROUPS = ['Everywhere', 'Go to', 'Lists', ...SCREEN_GROUPS, 'Transcript'] as const;

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
  'go.rules': { title: 'Rules', group: 'Go to', keys: ['g r'] },
  'go.expectations': { title: 'Expectations', group: 'Go to', keys: ['g e'] },
  'go.work-items': { title: 'Work items', group: 'Go to', keys: ['g w'] },
  'go.settings': { title: 'Settings', group: 'Go to', keys: ['g s'] },
  'go.knowledge': { title: 'Knowledge', group: 'Go to', keys: ['g k'] },
  'go.models': { title: 'Models', group: 'Go to', keys: ['g m'] },
  'go.datasets': { title: 'Datasets', group: 'Go to', keys: ['g d'] },
  'filter.focus': { title: 'Filter, or find in the transcript', group: 'Lists', keys: ['/'] },
  'list.next': { title: 'Next row', group: 'Lists', keys: ['j', 'ArrowDown'] },
  'list.previous': { title: 'Previous row', group: 'Lists', keys: ['k', 'ArrowUp'] },
  'list.first': { title: 'First row', group: 'Lists', keys: ['Home'] },
  'list.last': { title: 'Last row that is loaded', group: 'Lists', keys: ['End'] },
  'list.open': { title: 'Open', group: 'Lists', keys: ['Enter', 'o'] },
  'list.peek': { title: 'Look at the row beside the list', group: 'Lists', keys: ['Space'] },
  'list.select': { title: 'Select, or leave out', group: 'Lists', keys: ['x'] },
  'list.extend-next': { title: 'Select on to the next row', group: 'Lists', keys: ['Shift+j', 'Shift+ArrowDown'] },
  'list.extend-previous': {
    title: 'Select on to the previous row',
    group: 'Lists',
    keys: ['Shift+k', 'Shift+ArrowUp'],
  },
  'list.select-all': { title: 'Select all rows that are loaded', group: 'Lists', keys: ['Mod+a'] },
  'list.new-rows': { title: 'Show what is new', group: 'Lists', keys: ['.'] },
  'views.open': { title: 'Saved views', group: 'Lists', keys: ['Shift+v'] },
  'list.refresh': { title: 'Read the list again', group: 'Lists', keys: ['Shift+r'] },
  'finding.confirm': { title: 'Confirm', group: 'Finding', keys: ['c'] },
  'finding.dismiss': { title: 'Dismiss', group: 'Finding', keys: ['d'] },
  'finding.resolve': { title: 'Resolve', group: 'Finding', keys: ['r'] },
  'finding.snooze': { title: 'Snooze', group: 'Finding', keys: ['z'] },
  'finding.assign': { title: 'Assign', group: 'Finding', keys: ['a'] },
  'finding.work-item': { title: 'Work item', group: 'Finding', keys: ['w'] },
  'finding.merge': { title: 'Merge into another Finding', group: 'Finding', keys: ['m'] },
  'finding.comment': { title: 'Comment', group: 'Finding', keys: ['i'] },
  'item.next': { title: 'Next of the list one came from', group: 'Finding', keys: [']'] },
  'item.previous': { title: 'Previous of the list one came from', group: 'Finding', keys: ['['] },
  'expectation.activate': { title: 'Activate', group: 'Expectations', keys: ['a'] },
  'expectation.off': { title: 'Switch off', group: 'Expectations', keys: ['Backspace'] },
  'expectation.try': { title: 'Try it on the latest conversations', group: 'Expectations', keys: ['t'] },
  'knowledge.accept': { title: 'Accept, which marks it reviewed', group: 'Knowledge', keys: ['a'] },
  'knowledge.edit': { title: 'Edit title and content', group: 'Knowledge', keys: ['e'] },
  'knowledge.archive': { title: 'Archive', group: 'Knowledge', keys: ['Backspace'] },
  'knowledge.skip': { title: 'Skip', group: 'Knowledge', keys: ['s'] },
  'knowledge.fact': { title: 'It is a fact', group: 'Knowledge', keys: ['1'] },
  'knowledge.preference': { title: 'It is a preference', group: 'Knowledge', keys: ['2'] },
  'knowledge.procedure': { title: 'It is a procedure', group: 'Knowledge', keys: ['3'] },
  'knowledge.correction': { title: 'It is a correction', group: 'Knowledge', keys: ['4'] },
  'knowledge.policy': { title: 'It is a policy', group: 'Knowledge', keys: ['5'] },
  'evidence.next': { title: 'Next evidence', group: 'Transcript', keys: ['n'] },
  'evidence.previous': { title: 'Previous evidence', group: 'Transcript', keys: ['p'] },
  'occurrence.next': { title: 'Next occurrence', group: 'Transcript', keys: ['Shift+n'] },
  'occurrence.previous': { title: 'Previous occurrence', group: 'Transcript', keys: ['Shift+p'] },
  'example.edit': { title: 'Edit the Example, or make one of the conversation', group: 'Datasets', keys: ['e'] },
  'example.tag': { title: 'Tag', group: 'Datasets', keys: ['t'] },
  'example.delete': { title: 'Delete', group: 'Datasets', keys: ['Delete'] },
  'example.source': { title: 'Show where it is from, or hide it', group: 'Datasets', keys: ['v'] },
  'example.save': { title: 'Save', group: 'Datasets', keys: ['Mod+Enter'] },
  'example.save-next': { title: 'Save and go to the next', group: 'Datasets', keys: ['Mod+Shift+Enter'] },
  'tree.expand': { title: 'Unfold', group: 'Traces', keys: ['ArrowRight'] },
  'tree.collapse': { title: 'Fold', group: 'Traces', keys: ['ArrowLeft'] },
} as const satisfies Readonly<Record<string, CommandFacts>>;

export type CommandId = keyof typeof COMMANDS;

export const COMMAND_IDS = Object.keys(COMMANDS) as CommandId[];

export function commandOf(id: CommandId): CommandFacts {
  return COMMANDS[id];
}
