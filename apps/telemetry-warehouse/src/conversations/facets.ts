/** Facet of every conversation. */
export const ANY = '*';

/** Kinds of facets, each with a value of its own. */
type FacetKind = 'agent' | 'model' | 'user' | 'tool' | 'score' | 'success' | 'failure' | 'messages';

/** Facet of a conversation: a value by which lists find it. */
export function facet(kind: FacetKind, value: string | number): string {
  return `${kind}:${value}`;
}

/** Facts of a conversation that its facets tell. */
export interface FacetFacts {
  agents: readonly string[];
  models: readonly string[];
  tools: readonly string[];
  userId: string | null;
  messageCount: number;
  /** Its scores by name, with their meaning where the project names none. */
  scores: readonly { name: string; meaning: 'success' | 'failure' | 'none' }[];
}

/** Facets of a conversation, each once. */
export function facetsOf({ agents, models, tools, userId, messageCount, scores }: FacetFacts): string[] {
  return [
    ...new Set([
      ANY,
      ...agents.map((agent) => facet('agent', agent)),
      ...models.map((model) => facet('model', model)),
      ...tools.map((tool) => facet('tool', tool)),
      ...(userId === null ? [] : [facet('user', userId)]),
      ...sizesUpTo(messageCount).map((size) => facet('messages', size)),
      ...scores.flatMap(({ name, meaning }) => [
        facet('score', name),
        ...(meaning === 'none' ? [] : [facet(meaning, name)]),
      ]),
    ]),
  ];
}

/** Powers of two up to a number of messages, from 2 on. */
function sizesUpTo(messageCount: number): number[] {
  const sizes = [];
  for (let size = 2; size <= messageCount; size *= 2) sizes.push(size);
  return sizes;
}

/** Facet that every conversation of so many messages has; fewer than half as many do not suffice. */
export function facetOfSize(minMessages: number): string | undefined {
  return sizesUpTo(minMessages)
    .slice(-1)
    .map((size) => facet('messages', size))[0];
}
