import type { Noun, Verb } from './command.ts';

/** Groups of commands in the help, in their order. */
const GROUPS = {
  start: 'Get started:',
  work: 'Conversations, Findings, Knowledge, Datasets:',
  models: 'Models:',
  people: 'Projects, people, keys:',
  more: 'More:',
} as const;

type Row = readonly [group: keyof typeof GROUPS, name: string, summary: string, load: () => Promise<readonly Verb[]>];

const ROWS: readonly Row[] = [
  [
    'people',
    'projects',
    'projects, and the one that commands are about',
    async () => (await import('./commands/projects.ts')).VERBS,
  ],
  [
    'more',
    'completion',
    'the completion script of a shell',
    async () => (await import('./commands/completion.ts')).VERBS,
  ],
  ['more', 'version', 'the version', async () => (await import('./commands/version.ts')).VERBS],
  [
    'work',
    'findings',
    'problems that were found in conversations',
    async () => (await import('./commands/findings.ts')).VERBS,
  ],
];

/** Nouns of the command line. */
export const NOUNS: readonly Noun[] = ROWS.map(([group, name, summary, load]) => ({
  name,
  summary,
  load,
  group: GROUPS[group],
}));
