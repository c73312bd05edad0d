import {
  compareStanding,
  firstStepOf,
  outranks,
  standingOf,
  type Evaluation,
  type Occurrence,
  type OccurrenceHead,
  type PlacedHead,
} from '../findings/occurrence.ts';

/** Results of one Rule for one conversation so far. */
export interface RuleView {
  /** Revision of the latest whole snapshot that was applied; 0 before the first. */
  revision: number;
  /** Revision of the Rule's configuration in that evaluation; undefined for the first. */
  ruleRevision?: number | undefined;
  /** Occurrences by id. Loaded ones have no detection, which is large; those made by results have one. */
  occurrences: ReadonlyMap<string, PlacedHead | Occurrence>;
}

export interface ViewChange {
  view: RuleView;
  added: Occurrence[];
  /** Occurrences that a better snapshot shows again. */
  renewed: Occurrence[];
  withdrawn: OccurrenceHead[];
}

export const EMPTY_VIEW: RuleView = { revision: 0, occurrences: new Map() };

/** Limit on the occurrences that partial snapshots may add, because callers can request any number of these. */
export const MAX_OCCURRENCES_OF_VIEW = 200;

/**
 * Applies the findings of a Rule in one snapshot. A snapshot of the whole conversation replaces the findings of earlier
 * revisions; a partial one only adds to them. A snapshot older than the latest whole one changes nothing, so the same
 * snapshots lead to the same view in any order and with any repetition. The same snapshot under a later configuration
 * of the Rule counts as later. An occurrence in words that have expired stays, because no Rule can find it again.
 * Returns `undefined` if nothing changes.
 */
export function takeSnapshot(
  view: RuleView,
  snapshot: Evaluation,
  detected: readonly Occurrence[],
): ViewChange | undefined {
  const isWhole = snapshot.scope === 'conversation';
  const { ruleRevision } = snapshot;
  const standing = standingOf(snapshot);
  const ahead = compareStanding(standing, { snapshotRevision: view.revision, ruleRevision: view.ruleRevision });
  if (isWhole ? ahead <= 0 : ahead < 0) return undefined;
  const occurrences = new Map(view.occurrences);
  const added: Occurrence[] = [];
  const renewed: Occurrence[] = [];
  for (const occurrence of detected) {
    const known = occurrences.get(occurrence.id);
    if (known === undefined) {
      if (!isWhole && occurrences.size >= MAX_OCCURRENCES_OF_VIEW) continue;
      added.push(occurrence);
      occurrences.set(occurrence.id, occurrence);
    } else if (outranks(occurrence, known)) {
      const again = { ...occurrence, firstDetectedAt: known.firstDetectedAt };
      renewed.push(again);
      occurrences.set(again.id, again);
    }
  }
  if (!isWhole) {
    if (added.length + renewed.length === 0) return undefined;
    return { view: { ...view, occurrences }, added, renewed, withdrawn: [] };
  }
  const withdrawn = [...occurrences.values()].filter(
    (each) => compareStanding(each, standing) < 0 && placeOf(each) > (snapshot.expiredThrough ?? -1),
  );
  for (const { id } of withdrawn) occurrences.delete(id);
  return { view: { revision: snapshot.revision, ruleRevision, occurrences }, added, renewed, withdrawn };
}

function placeOf(occurrence: PlacedHead | Occurrence): number {
  return 'detection' in occurrence ? firstStepOf(occurrence.detection) : occurrence.firstStep;
}
