import type { Api } from '@clew/sdk';
import { MARK_KINDS, placeOf, type MarkKind, type MarkRange, type Quote, type QuoteField } from '../text/marks.ts';

/** Evidence of a Finding at one step of a conversation. */
export interface Evidence {
  readonly id: string;
  readonly kind: MarkKind;
  readonly stepIndex: number;
  readonly title: string;
  /** Reason in words; empty where there is none. */
  readonly because: string;
  readonly quotes: readonly Quote[];
}

/** Labels of the kinds, which stand beside their colours and icons. */
export const KIND_LABELS: Readonly<Record<MarkKind, string>> = {
  suspect: 'Suspect',
  symptom: 'Symptom',
  evidence: 'Evidence',
};

/** Sources of the evidence in one conversation. */
export interface EvidenceSources {
  /** Absent: all that the diagnosis knows, not that of one Finding. */
  readonly findingId?: string;
  readonly diagnosis?: Pick<Api.ConversationDiagnosis, 'suspects' | 'symptoms'>;
  readonly occurrence?: Pick<Api.FindingOccurrence, 'diagnosticAnchor' | 'title'>;
  /** Evidence of the Finding's own conversation. */
  readonly evidence?: readonly Pick<Api.Evidence, 'ref' | 'title' | 'summary' | 'location'>[];
}

/** Gathers the evidence of a conversation, in the order of its steps; one place is not told twice. */
export function gatherEvidence({ findingId, diagnosis, occurrence, evidence = [] }: EvidenceSources): Evidence[] {
  const suspects = (diagnosis?.suspects ?? []).map(({ stepIndex, agent, because, quotes }, at): Evidence => ({
    id: `suspect-${at}`,
    kind: 'suspect',
    stepIndex,
    title: agent === '' ? `May have begun at step ${stepIndex + 1}` : `May have begun with ${agent}`,
    ...{ because, quotes },
  }));
  const own = (diagnosis?.symptoms ?? []).filter(
    (symptom) => findingId === undefined || symptom.findingId === findingId,
  );
  const symptoms = own.map(({ title, location: { stepIndex, quotes }, signals }, at): Evidence => ({
    id: `symptom-${at}`,
    kind: 'symptom',
    because: signals.map((signal) => signal.replaceAll('_', ' ')).join(', '),
    ...{ stepIndex, title, quotes },
  }));
  const anchor: Evidence[] = (occurrence === undefined ? [] : [occurrence]).map(({ title, diagnosticAnchor }) => ({
    id: 'anchor',
    kind: 'symptom',
    stepIndex: diagnosticAnchor.stepIndex,
    because: '',
    quotes: diagnosticAnchor.quotes,
    title,
  }));
  const further = evidence.map(({ ref, title, summary, location: { stepIndex, quotes } }): Evidence => ({
    id: `evidence-${ref}`,
    kind: 'evidence',
    because: summary,
    ...{ stepIndex, title, quotes },
  }));
  return inOrder(withoutDoubles([...suspects, ...symptoms, ...anchor, ...further]));
}

function withoutDoubles(all: readonly Evidence[]): Evidence[] {
  const seen = new Set<string>();
  return all.filter(({ kind, stepIndex, quotes }) => {
    const texts = quotes.map(({ quote, startChar }) => [quote, startChar ?? null]);
    const place = JSON.stringify([kind === 'suspect', stepIndex, texts]);
    return !seen.has(place) && seen.add(place);
  });
}

function inOrder(all: readonly Evidence[]): Evidence[] {
  const rank = ({ kind }: Evidence) => MARK_KINDS.indexOf(kind);
  return [...all].sort((a, b) => a.stepIndex - b.stepIndex || rank(a) - rank(b));
}

/** Evidence with which a transcript opens: the likeliest suspect, else the first symptom, else the first there is. */
export function openingEvidence(all: readonly Evidence[]): Evidence | undefined {
  return (
    all.find(({ id }) => id === 'suspect-0') ??
    all.find(({ kind }) => kind === 'suspect') ??
    all.find(({ kind }) => kind === 'symptom') ??
    all[0]
  );
}

/** Evidence after or before one in the order of steps, around the ends. */
export function evidenceBeside(all: readonly Evidence[], id: string | undefined, by: 1 | -1): Evidence | undefined {
  if (all.length === 0) return undefined;
  const at = all.findIndex((each) => each.id === id);
  if (at < 0) return by === 1 ? all[0] : all.at(-1);
  return all[(at + by + all.length) % all.length];
}

/** Marks in one field of a message. */
export function rangesIn(text: string, messageIndex: number, field: QuoteField, all: readonly Evidence[]): MarkRange[] {
  return all.flatMap(({ id, kind, stepIndex, quotes }) =>
    quotes.flatMap((quote): MarkRange[] => {
      if ((quote.messageIndex ?? stepIndex) !== messageIndex) return [];
      if (quote.field !== undefined && quote.field !== field) return [];
      const place = placeOf(text, quote);
      return place === undefined ? [] : [{ ...place, kind, evidenceId: id }];
    }),
  );
}

/** Evidence at a message: that whose step it is, or that quotes it. */
export function evidenceAt(messageIndex: number, all: readonly Evidence[]): Evidence[] {
  return all.filter(
    ({ stepIndex, quotes }) =>
      stepIndex === messageIndex || quotes.some((quote) => quote.messageIndex === messageIndex),
  );
}

/** Step of the answer that was wrong: where somebody has gone, else where it showed rather than where it may have begun. */
export function wrongStep(evidence: readonly Evidence[], currentId: string | undefined): number | undefined {
  const opening = openingEvidence(evidence);
  const current = evidence.find(({ id }) => id === currentId) ?? opening;
  const shown = current === opening ? evidence.findLast(({ kind }) => kind === 'symptom') : undefined;
  return (shown ?? current)?.stepIndex;
}
