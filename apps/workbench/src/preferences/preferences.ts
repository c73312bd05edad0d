import { useSyncExternalStore } from 'react';

export type Theme = 'system' | 'light' | 'dark';

/** Ways in which the messages of a transcript are shown. */
export const MESSAGE_VIEWS = ['text', 'markdown', 'json'] as const;
export type MessageView = (typeof MESSAGE_VIEWS)[number];

/** Choices of the person at this browser; what the API does not keep stays here. */
export interface Preferences {
  readonly theme: Theme;
  /** Whether keys of one character give commands (WCAG 2.1.4). */
  readonly characterKeys: boolean;
  /** Project that was open last. */
  readonly projectId: string | null;
  readonly messageView: MessageView;
}

const NAME = 'clew.preferences';
const DEFAULTS: Preferences = { theme: 'system', characterKeys: true, projectId: null, messageView: 'text' };
const listeners = new Set<() => void>();
let current: Preferences | undefined;

export function preferences(): Preferences {
  current ??= parsePreferences(read());
  return current;
}

export function setPreferences(change: Partial<Preferences>): void {
  current = { ...preferences(), ...change };
  try {
    localStorage.setItem(NAME, JSON.stringify(current));
  } catch {
    // A browser that stores nothing keeps the choice until the page is left.
  }
  applyTheme();
  for (const listener of listeners) listener();
}

export function usePreferences(): Preferences {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, preferences);
}

/** Puts the chosen theme on the page. */
export function applyTheme(): void {
  const { theme } = preferences();
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

/** Reads stored choices; any that is not one of today is left at its default. */
export function parsePreferences(stored: string | null): Preferences {
  const given = parsed(stored);
  const { theme, characterKeys, projectId, messageView } = given;
  return {
    theme: theme === 'light' || theme === 'dark' ? theme : DEFAULTS.theme,
    characterKeys: typeof characterKeys === 'boolean' ? characterKeys : DEFAULTS.characterKeys,
    projectId: typeof projectId === 'string' ? projectId : DEFAULTS.projectId,
    messageView: MESSAGE_VIEWS.find((view) => view === messageView) ?? DEFAULTS.messageView,
  };
}

function parsed(stored: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(stored ?? '{}');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function read(): string | null {
  try {
    return localStorage.getItem(NAME);
  } catch {
    return null;
  }
}
