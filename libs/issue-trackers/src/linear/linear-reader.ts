import { done, refused, type Outcome } from '../tracker/outcome.ts';
import { IssueData, type LinearIssue } from './linear-answers.ts';
import type { LinearApi } from './linear-api.ts';
import { READ_ISSUE } from './linear-documents.ts';

export interface LinearReader {
  /** Reads an issue by its id, or its identifier for people; null if there is none. */
  readIssue(id: string, signal: AbortSignal): Promise<Outcome<LinearIssue | null>>;
  /** Reads an issue for a change to it: a deleted one is refused. */
  readPresent(id: string, signal: AbortSignal): Promise<Outcome<LinearIssue>>;
}

export function createLinearReader(api: LinearApi): LinearReader {
  const reader: LinearReader = {
    async readIssue(id, signal) {
      const found = await api.find({ purpose: 'read', query: READ_ISSUE, variables: { id } }, IssueData, signal);
      return found.kind === 'done' ? done(found.value?.issue ?? null) : found;
    },
    async readPresent(id, signal) {
      const found = await reader.readIssue(id, signal);
      if (found.kind !== 'done') return found;
      if (found.value !== null && found.value.trashed !== true) return done(found.value);
      return refused('gone', 'The issue was deleted at Linear');
    },
  };
  return reader;
}
