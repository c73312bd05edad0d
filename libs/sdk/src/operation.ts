/** Facts about one operation of the API, as far as a call needs them. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with `:name` where its parameters go. */
  readonly path: string;
  /** Whether the first argument after those of the path is a body. */
  readonly body?: true;
  /** Media type of a body that is a file. */
  readonly file?: string;
  /** Path of the member that holds the things of a page, for lists. */
  readonly list?: string;
  /** Path of the member that holds the cursor of the next page. */
  readonly cursor?: string;
  /** Format of an answer that comes piece by piece. */
  readonly stream?: 'lines' | 'events';
  /** Whether the answer is one JSON body unless the caller asks for its pieces. */
  readonly either?: true;
  /** Whether a request with the same `Idempotency-Key` takes effect once. */
  readonly keyed?: true;
  /** Whether the project is named by a header. */
  readonly projectHeader?: true;
  /** Whether the answer may take minutes. */
  readonly slow?: true;
  /** Member and values that say that asked work has ended, for calls that wait for it. */
  readonly ended?: { readonly member: string; readonly values: readonly string[] };
}

/** Operations and resources by name. */
export interface ResourceTable {
  readonly [name: string]: Operation | ResourceTable;
}

export function isOperation(entry: Operation | ResourceTable): entry is Operation {
  return typeof entry['path'] === 'string';
}

/** Returns the parameters of the path that callers name one by one: all but the project that things belong to. */
export function argumentsOf(path: string): string[] {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as string);
  return path.endsWith('/:projectId') ? names : names.filter((name) => name !== 'projectId');
}
