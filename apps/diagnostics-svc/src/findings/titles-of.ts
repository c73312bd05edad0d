import type { Database } from '@clew/persistence';
import { findingCollection } from './finding.model.ts';

/** Title of a Finding, and the conversation that it comes from. */
export interface FindingTitle {
  title: string;
  conversationId: string;
}

/** Reads the titles of Findings, in one query; those that are gone are left out. */
export function createTitlesOf(database: Database) {
  const findings = findingCollection(database);
  return async (ids: readonly string[]): Promise<ReadonlyMap<string, FindingTitle>> => {
    const projection = { title: 1, 'anchor.conversationId': 1 } as const;
    const found = await findings.find({ _id: { $in: [...ids] } }, { projection }).toArray();
    return new Map(found.map(({ _id, title, anchor }) => [_id, { title, conversationId: anchor.conversationId }]));
  };
}
