/** Row of a JSON value that is shown as a tree. */
export interface TreeRow {
  /** Way to the value, as JSON pointers write it. */
  readonly path: string;
  readonly depth: number;
  readonly name: string;
  readonly kind: 'branch' | 'text' | 'value' | 'data';
  /** Text of a leaf; of a branch, what it holds. */
  readonly text: string;
  readonly isOpen: boolean;
  /** Characters of a text of which only the beginning is shown. */
  readonly cutFrom?: number;
}

/** Characters of a text beyond which it is cut. */
export const MAX_SHOWN = 2_048;
/** Depth down to which branches are open at first. */
const OPEN_DEPTH = 2;

export interface TreeState {
  /** Branches that were opened or closed by hand. */
  readonly toggled: ReadonlySet<string>;
  /** Texts that are shown whole. */
  readonly whole: ReadonlySet<string>;
}

/** Rows of a JSON value, each branch before what it holds. */
export function treeRows(value: object, { toggled, whole }: TreeState): TreeRow[] {
  const rows: TreeRow[] = [];
  const open = entriesOf(value, '', 0).reverse();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value: own, ...place } = next;
    if (typeof own === 'object' && own !== null) {
      const isOpen = next.depth < OPEN_DEPTH !== toggled.has(next.path);
      rows.push({ ...place, kind: 'branch', text: sizeOf(own), isOpen });
      if (isOpen) for (const child of entriesOf(own, next.path, next.depth + 1).reverse()) open.push(child);
    } else {
      rows.push({ ...place, isOpen: false, ...leafOf(own, whole.has(next.path)) });
    }
  }
  return rows;
}

interface Entry {
  readonly path: string;
  readonly depth: number;
  readonly name: string;
  readonly value: unknown;
}

function entriesOf(value: object, path: string, depth: number): Entry[] {
  return Object.entries(value).map(([name, member]) => ({
    path: `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    depth,
    name,
    value: member as unknown,
  }));
}

function sizeOf(value: object): string {
  const number = Object.keys(value).length;
  return Array.isArray(value) ? `[${number}]` : `{${number}}`;
}

function leafOf(value: unknown, isWhole: boolean): Pick<TreeRow, 'kind' | 'text' | 'cutFrom'> {
  if (typeof value !== 'string') return { kind: 'value', text: String(value) };
  const data = isWhole ? undefined : dataUri(value);
  if (data !== undefined) return { kind: 'data', text: data, cutFrom: value.length };
  if (isWhole || value.length <= MAX_SHOWN) return { kind: 'text', text: value };
  return { kind: 'text', text: value.slice(0, MAX_SHOWN), cutFrom: value.length };
}

/** Type and size of a data URI; undefined for other texts. */
function dataUri(text: string): string | undefined {
  const head = /^data:([\w.+-]{1,60}\/[\w.+-]{1,60})?(?:;[\w=-]{1,40}){0,4},/.exec(text.slice(0, 300));
  if (head === null) return undefined;
  const length = text.length - head[0].length;
  const bytes = head[0].includes(';base64') ? Math.floor((length * 3) / 4) : length;
  return `${head[1] ?? 'text/plain'}, ${sizeText(bytes)}`;
}

function sizeText(bytes: number): string {
  if (bytes < 1_024) return `${bytes} bytes`;
  return bytes < 1_048_576 ? `${Math.round(bytes / 1_024)} KiB` : `${(bytes / 1_048_576).toFixed(1)} MiB`;
}
