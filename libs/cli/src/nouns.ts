import type { Noun, Verb } from './command.ts';

/** Groups of commands in the help, in their order. */
const GROUPS = {
  start: 'Get started:',
  work: 'Conversations, Findings, Knowledge, Datasets:',
  models: 'Models:',
  people: 'Projects, people, keys:',
  settings: 'Connections and limits:',
  more: 'More:',
} as const;

type Row = readonly [group: keyof typeof GROUPS, name: string, summary: string, load: () => Promise<readonly Verb[]>];

const ROWS: readonly Row[] = [
  ['start', 'login', 'sign in', async () => (await import('./commands/login.ts')).VERBS],
  ['start', 'logout', 'revoke the key and forget it', async () => (await import('./commands/logout.ts')).VERBS],
  ['start', 'whoami', 'whose key is in use', async () => (await import('./commands/whoami.ts')).VERBS],
  [
    'start',
    'profile',
    'places of work: deployment, key, project',
    async () => (await import('./commands/profile.ts')).VERBS,
  ],
  ['start', 'demo', 'sample conversations to look around with', async () => (await import('./commands/demo.ts')).VERBS],
  [
    'work',
    'conversations',
    'conversations of the agents',
    async () => (await import('./commands/conversations.ts')).VERBS,
  ],
  [
    'work',
    'findings',
    'problems that were found in conversations',
    async () => (await import('./commands/findings.ts')).VERBS,
  ],
  ['work', 'rules', 'built-in Rules that find problems', async () => (await import('./commands/rules.ts')).VERBS],
  [
    'work',
    'expectations',
    'what agents are expected to do',
    async () => (await import('./commands/expectations.ts')).VERBS,
  ],
  ['work', 'reviews', 'conversations that a model has read', async () => (await import('./commands/reviews.ts')).VERBS],
  [
    'work',
    'work-items',
    'Findings that were handed to an issue tracker',
    async () => (await import('./commands/work-items.ts')).VERBS,
  ],
  [
    'work',
    'goals',
    'what is to be learned from conversations',
    async () => (await import('./commands/goals.ts')).VERBS,
  ],
  ['work', 'items', 'Knowledge that was learned', async () => (await import('./commands/items.ts')).VERBS],
  [
    'work',
    'backfills',
    'learning from earlier conversations',
    async () => (await import('./commands/backfills.ts')).VERBS,
  ],
  [
    'work',
    'datasets',
    'Examples for training and evaluation',
    async () => (await import('./commands/datasets.ts')).VERBS,
  ],
  ['work', 'examples', 'single Examples of a Dataset', async () => (await import('./commands/examples.ts')).VERBS],
  [
    'models',
    'models',
    'models: find, download, start, talk with',
    async () => (await import('./commands/models.ts')).VERBS,
  ],
  ['models', 'providers', 'providers of models', async () => (await import('./commands/providers.ts')).VERBS],
  [
    'people',
    'projects',
    'projects, and the one that commands are about',
    async () => (await import('./commands/projects.ts')).VERBS,
  ],
  ['people', 'keys', 'API keys', async () => (await import('./commands/keys.ts')).VERBS],
  ['people', 'people', 'people of the workspace', async () => (await import('./commands/people.ts')).VERBS],
  ['people', 'members', 'people of the project', async () => (await import('./commands/members.ts')).VERBS],
  ['people', 'invitations', 'invitations that are open', async () => (await import('./commands/invitations.ts')).VERBS],
  ['people', 'audit', 'administrative deeds', async () => (await import('./commands/audit.ts')).VERBS],
  ['settings', 'settings', 'settings of a project', async () => (await import('./commands/settings.ts')).VERBS],
  [
    'settings',
    'connectors',
    'connections to issue trackers',
    async () => (await import('./commands/connectors.ts')).VERBS,
  ],
  [
    'settings',
    'webhooks',
    'addresses that hear of changes',
    async () => (await import('./commands/webhooks.ts')).VERBS,
  ],
  [
    'settings',
    'usage',
    'what was used, by day, model, key or project',
    async () => (await import('./commands/usage.ts')).VERBS,
  ],
  ['settings', 'quotas', 'limits of a project', async () => (await import('./commands/quotas.ts')).VERBS],
  [
    'settings',
    'signals',
    'whether the work of the deployment gets done',
    async () => (await import('./commands/signals.ts')).VERBS,
  ],
  ['more', 'api', 'call any path of the API', async () => (await import('./commands/api.ts')).VERBS],
  [
    'more',
    'doctor',
    'what is wrong with connection, key or deployment',
    async () => (await import('./commands/doctor.ts')).VERBS,
  ],
  ['more', 'open', 'open a thing in the Workbench', async () => (await import('./commands/open.ts')).VERBS],
  [
    'more',
    'completion',
    'the completion script of a shell',
    async () => (await import('./commands/completion.ts')).VERBS,
  ],
  ['more', 'version', 'the version', async () => (await import('./commands/version.ts')).VERBS],
];

/** Nouns of the command line. */
export const NOUNS: readonly Noun[] = ROWS.map(([group, name, summary, load]) => ({
  name,
  summary,
  load,
  group: GROUPS[group],
}));
