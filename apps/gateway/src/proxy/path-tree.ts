import type { RouteSpec } from '@clew/contracts';

interface Node {
  readonly words: Map<string, Node>;
  /** Child for a segment that matches none of the fixed words: a path parameter. */
  any: Node | undefined;
  /** Specs by method, in upper case. */
  readonly specs: Map<string, RouteSpec>;
}

export interface PathTree {
  /**
   * Finds the spec of a method and path. A fixed word takes precedence over a parameter, as in the services. If the
   * path is served only for other methods, returns the spec of one of them: its service answers 405.
   */
  find(method: string, segments: readonly string[]): RouteSpec | undefined;
}

/** Finds specs by path in as many steps as the path has segments. */
export function createPathTree(specs: readonly RouteSpec[]): PathTree {
  const root = newNode();
  for (const spec of specs) {
    const end = spec.path.split('/').slice(1).reduce(childFor, root);
    end.specs.set(spec.method.toUpperCase(), spec);
  }
  return {
    find(method, segments) {
      return lookUp(root, segments, 0, ({ specs: ofNode }) => ofNode.get(method)) ?? lookUp(root, segments, 0, anySpec);
    },
  };
}

function newNode(): Node {
  return { words: new Map(), any: undefined, specs: new Map() };
}

function childFor(node: Node, segment: string): Node {
  if (segment.startsWith(':')) return (node.any ??= newNode());
  const known = node.words.get(segment) ?? newNode();
  node.words.set(segment, known);
  return known;
}

function lookUp(
  node: Node | undefined,
  segments: readonly string[],
  depth: number,
  specOf: (node: Node) => RouteSpec | undefined,
): RouteSpec | undefined {
  if (node === undefined) return undefined;
  const segment = segments[depth];
  if (segment === undefined) return specOf(node);
  const byWord = lookUp(node.words.get(segment), segments, depth + 1, specOf);
  return byWord ?? lookUp(node.any, segments, depth + 1, specOf);
}

function anySpec({ specs }: Node): RouteSpec | undefined {
  const [first] = specs.values();
  return first;
}
