import type { Scene } from './screens.ts';

/** Reads from the API, below a project. */
export type ReadProject = (path: string) => Promise<unknown>;

/** Thing whose id stands in addresses: the list in which it is found, and the name of its rows. */
interface ThingOfScene {
  /** List, in which `:name` stands for the id of a thing before it. */
  readonly list: string;
  readonly rows: string;
  /** Member that holds the id, or several of them; "id" if it is not named. */
  readonly member?: string;
}

/** Things that screens show, by the name of their id in an address; a new one is one line. */
const THINGS: Readonly<Record<string, ThingOfScene>> = {
  finding: { list: '/diagnostics/findings?limit=1&sort=occurrenceCount', rows: 'findings' },
  conversation: {
    ...{ list: '/diagnostics/findings?limit=1&sort=occurrenceCount', rows: 'findings', member: 'conversationId' },
  },
  trace: { list: '/conversations?limit=1', rows: 'conversations', member: 'traceIds' },
  goal: { list: '/knowledge/goals?limit=1', rows: 'goals' },
  dataset: { list: '/datasets?limit=1', rows: 'datasets' },
  example: { list: '/datasets/:dataset/examples?limit=1', rows: 'examples' },
  rule: { list: '/diagnostics/rules?limit=1', rows: 'rules', member: 'ruleId' },
};

/** Reads the ids of what a project holds; what it does not hold has none. */
export async function sceneOf(read: ReadProject): Promise<Scene> {
  const scene: Record<string, string> = {};
  for (const [name, { list, rows, member = 'id' }] of Object.entries(THINGS)) {
    const path = filledPath(list, scene);
    if (path === undefined) continue;
    const body = (await read(path)) as Record<string, Record<string, string | string[]>[] | undefined>;
    const [id] = [body[rows]?.[0]?.[member]].flat();
    if (id !== undefined) scene[name] = id;
  }
  return scene;
}

/** List of things below another one; undefined if there is none. */
function filledPath(list: string, scene: Scene): string | undefined {
  const names = [...list.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  if (names.some((name) => scene[name] === undefined)) return undefined;
  return names.reduce((path, name) => path.replace(`:${name}`, encodeURIComponent(scene[name] ?? '')), list);
}
