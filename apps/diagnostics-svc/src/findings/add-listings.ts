import { isDeepStrictEqual } from 'node:util';
import type { Connection } from 'mongoose';
import { nativeDb } from '@clew/persistence';
import { findingModel, type FindingDocument } from './finding.model.ts';
import { listingRowOf, wordsOf } from './listing/index.ts';

type Stored = Omit<FindingDocument, 'listing' | 'titleWords'> & Partial<Pick<FindingDocument, 'listing'>>;

const FINDINGS_AT_A_TIME = 500;

/** Gives Findings that were stored without it, or by a former version, what lists filter by. Safe to repeat. */
export async function addListings(connection: Connection): Promise<void> {
  const findings = nativeDb(connection).collection<FindingDocument>(findingModel(connection).collection.name);
  for (let after = ''; ;) {
    const page = await findings
      .find<Stored>(
        { _id: { $gt: after } },
        { sort: { _id: 1 }, limit: FINDINGS_AT_A_TIME, projection: { evidence: 0, window: 0, own: 0 } },
      )
      .toArray();
    const last = page.at(-1);
    if (last === undefined) return;
    after = last._id;
    const writes = page.flatMap((finding) => {
      const { _id, projectId, sequence, title } = finding;
      const listing = listingRowOf(finding);
      if (isDeepStrictEqual(finding.listing, listing)) return [];
      const update = { $set: { listing, titleWords: wordsOf(title) } };
      // A Finding that has changed meanwhile was written with what lists filter by, or is with its next change.
      return { updateOne: { filter: { _id, projectId, sequence }, update } };
    });
    if (writes.length > 0) await findings.bulkWrite(writes, { ordered: false });
  }
}
