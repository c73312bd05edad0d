/** Profile that the person wants ready, and since when. */
export interface Wanted {
  readonly projectId: string;
  readonly modelId: string;
  readonly profileId: string;
  readonly atMs: number;
}

const NAME = 'clew.wanted-models';
const KEPT_MS = 24 * 3_600_000;
const MAX = 20;

type WantedKey = Omit<Wanted, 'atMs'>;

/** Reads what is kept; what is old, or is not one of today, is left out. */
export function parseWanted(stored: string | null, nowMs: number): Wanted[] {
  try {
    const value: unknown = JSON.parse(stored ?? '[]');
    return (Array.isArray(value) ? value : []).filter(isWanted).filter(({ atMs }) => nowMs - atMs < KEPT_MS);
  } catch {
    return [];
  }
}

function isWanted(value: unknown): value is Wanted {
  if (typeof value !== 'object' || value === null) return false;
  const { projectId, modelId, profileId, atMs } = value as Record<string, unknown>;
  return [projectId, modelId, profileId].every((each) => typeof each === 'string') && typeof atMs === 'number';
}

function isSame(a: WantedKey, b: WantedKey): boolean {
  return a.projectId === b.projectId && a.modelId === b.modelId && a.profileId === b.profileId;
}

/** Wanted profiles with one more, or without it. */
export function withWanted(all: readonly Wanted[], key: WantedKey, atMs: number | undefined): Wanted[] {
  const others = all.filter((each) => !isSame(each, key));
  return (atMs === undefined ? others : [...others, { ...key, atMs }]).slice(-MAX);
}

/** Keeps at this browser that a profile is wanted, so that a page that is read again goes on with it. */
export function setWanted(key: WantedKey, isOn: boolean): void {
  try {
    const all = parseWanted(localStorage.getItem(NAME), Date.now());
    localStorage.setItem(NAME, JSON.stringify(withWanted(all, key, isOn ? Date.now() : undefined)));
  } catch {
    // A browser that stores nothing goes on until the page is left.
  }
}

/** Whether this browser keeps that some profile of a project is wanted. */
export function hasWanted(projectId: string): boolean {
  return kept().some((each) => each.projectId === projectId);
}

export function isKept(key: WantedKey): boolean {
  return kept().some((each) => isSame(each, key));
}

function kept(): Wanted[] {
  try {
    return parseWanted(localStorage.getItem(NAME), Date.now());
  } catch {
    return [];
  }
}
