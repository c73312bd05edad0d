/** Ids of the things that the screens of one project show, by the names that the addresses below use. */
export type Scene = Readonly<Record<string, string>>;

/** Screen of a project. A new one is one line of the table. */
export interface Screen {
  /** Name of its pictures. */
  readonly name: string;
  readonly title: string;
  /** Address below that of the project, in which `:name` stands for an id of the scene. */
  readonly path: string;
}

/** Parts of the settings. */
const SETTINGS = [
  ['general', 'Settings'],
  ['members', 'Members'],
  ['keys', 'API keys'],
  ['connectors', 'Connectors'],
  ['webhooks', 'Notifications'],
  ['diagnostics', 'Settings of diagnosis'],
  ['privacy', 'Retention and privacy'],
  ['usage', 'Quotas and usage'],
  ['audit', 'Audit'],
  ['people', 'People'],
  ['projects', 'Projects'],
  ['sign-in', 'Sign-in'],
  ['health', 'Health'],
  ['account', 'Account and sessions'],
  ['appearance', 'Appearance and keys'],
] as const;

/** Every screen of a project, in the order of the rail. Tests, benches and pictures visit all of them. */
export const SCREENS: readonly Screen[] = [
  { name: 'home', title: 'Home', path: '' },
  { name: 'findings', title: 'Findings', path: 'findings' },
  { name: 'finding', title: 'A Finding', path: 'findings/:finding' },
  { name: 'conversations', title: 'Conversations', path: 'conversations' },
  { name: 'conversation', title: 'A conversation', path: 'conversations/:conversation' },
  { name: 'conversation-steps', title: 'Steps of a conversation', path: 'conversations/:conversation?tab=steps' },
  { name: 'conversation-scores', title: 'Scores of a conversation', path: 'conversations/:conversation?tab=scores' },
  { name: 'conversation-traces', title: 'Traces of a conversation', path: 'conversations/:conversation?tab=traces' },
  { name: 'conversation-raw', title: 'JSON of a conversation', path: 'conversations/:conversation?tab=raw' },
  { name: 'trace', title: 'A trace', path: 'traces/:trace' },
  { name: 'knowledge', title: 'Knowledge', path: 'knowledge' },
  { name: 'goals', title: 'Learning Goals', path: 'knowledge/goals' },
  { name: 'goal', title: 'A Learning Goal', path: 'knowledge/goals/:goal' },
  { name: 'datasets', title: 'Datasets', path: 'datasets' },
  { name: 'dataset', title: 'A Dataset', path: 'datasets/:dataset' },
  { name: 'dataset-versions', title: 'Versions of a Dataset', path: 'datasets/:dataset?tab=versions' },
  { name: 'dataset-collection', title: 'What a Dataset collects', path: 'datasets/:dataset?tab=collection' },
  { name: 'dataset-import', title: 'Import into a Dataset', path: 'datasets/:dataset?tab=import' },
  { name: 'dataset-export', title: 'Export of a Dataset', path: 'datasets/:dataset?tab=export' },
  { name: 'example', title: 'An Example', path: 'datasets/:dataset/examples/:example' },
  { name: 'models', title: 'Models', path: 'models' },
  { name: 'chat', title: 'Chat', path: 'models/chat' },
  { name: 'rules', title: 'Rules', path: 'rules' },
  { name: 'rule', title: 'A Rule', path: 'rules/:rule' },
  { name: 'expectations', title: 'Expectations', path: 'expectations' },
  { name: 'work-items', title: 'Work items', path: 'work-items' },
  ...SETTINGS.map(([part, title]) => ({ name: `settings-${part}`, title, path: `settings/${part}` })),
];

/** Address of a screen; without a scene, ids that name nothing stand in it. */
export function addressOf({ path }: Pick<Screen, 'path'>, projectId: string, scene: Scene = {}): string {
  const filled = path.replaceAll(/:(\w+)/g, (_match, name: string) => encodeURIComponent(scene[name] ?? 'nothing'));
  return `/p/${projectId}${filled === '' ? '' : `/${filled}`}`;
}
