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

/** What one Rule has shown of one conversation so far. */
export interface RuleView {
  /** Of the latest snapshot of the whole conversation that was taken; 0 before the first. */
  revision: number;
  /** Of the configuration that it was evaluated with; the first has none. */
  ruleRevision?: number | undefined;
  /** By id. Those that were read have no detection, which is large; those that results made have one. */
  occurrences: ReadonlyMap<string, PlacedHead | Occurrence>;
}

export interface ViewChange {
  view: RuleView;
  added: Occurrence[];
  /** A better snapshot shows them again. */
  renewed: Occurrence[];
  withdrawn: OccurrenceHead[];
}

export const EMPTY_VIEW: RuleView = { revision: 0, occurrences: new Map() };

/** Parts of a conversation, which callers can ask for without end, add no more than this. */
export const MAX_OCCURRENCES_OF_VIEW = 200;

/**
 * Takes what a Rule found in one snapshot. A snapshot of the whole conversation replaces what earlier revisions showed;
 * a part only adds. What is older than the whole that was taken last changes nothing, so that in any order, and however
 * often they come, the same snapshots lead to the same view. The same snapshot
 * under a later configuration of the Rule counts as a later one. Where words have expired, nobody can show again what
 * stood on them: it stays. Undefined when nothing changes.
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
