import type { Detection, Evidence, EvidenceLocation, Suspect } from '@clew/contracts';
import { canonicalJson, sha256Hex } from '@clew/kernel';
import { MAX_EVIDENCE } from '../evaluate-rule.ts';
import type { TextValue } from '../values/scan-text.ts';
import type { ConversationView } from '../view/conversation-view.ts';

/**
 * Anchors each Detection at the suspect that caused its symptom: an earlier step that made up a value which the symptom
 * repeats. The evidence, which shows the symptom first, then also names that step. Without such a suspect, or if it has
 * no text to quote, the anchor stays at the symptom.
 */
export function anchoredAtSuspects(
  view: ConversationView,
  detections: readonly Detection[],
  suspects: readonly Suspect[],
): Detection[] {
  return detections.map((detection) => {
    const cause = causeOf(view, detection.anchor, suspects);
    if (cause === undefined) return detection;
    const { suspect, anchor } = cause;
    const evidence = [...detection.evidence.slice(0, MAX_EVIDENCE - 1), originOf(view, suspect, anchor)];
    return { ...detection, anchor, evidence };
  });
}

interface Cause {
  readonly suspect: Suspect;
  readonly anchor: EvidenceLocation;
}

function causeOf(view: ConversationView, symptom: EvidenceLocation, suspects: readonly Suspect[]): Cause | undefined {
  const symptomAt = view.messages.findIndex(({ index }) => index === symptom.stepIndex);
  if (symptomAt === -1) return undefined;
  const repeated = new Set(stepsOfSymptom(view, symptomAt).flatMap((at) => view.values.at(at).map(({ key }) => key)));
  for (const suspect of suspects) {
    const message = view.messages.find(({ index }) => index === suspect.stepIndex);
    if (message === undefined || suspect.quotes.length === 0) continue;
    const position = view.positionOf(message);
    if (position >= symptomAt) continue;
    const isCause = ({ key }: TextValue) => repeated.has(key) && view.values.isMadeUp(key);
    if (!view.values.introducedAt(position).some(isCause)) continue;
    const { traceId, spanId, index } = message;
    return { suspect, anchor: { traceId, spanId, stepIndex: index, quotes: [...suspect.quotes] } };
  }
  return undefined;
}

/** Returns the message that shows the problem, and its call if it is a result. */
function stepsOfSymptom(view: ConversationView, symptomAt: number): number[] {
  const symptom = view.messages[symptomAt];
  const call = view.calls.find(({ result }) => result !== undefined && result === symptom);
  return call === undefined ? [symptomAt] : [symptomAt, call.position];
}

function originOf(view: ConversationView, suspect: Suspect, location: EvidenceLocation): Evidence {
  const title = 'Where it may have begun';
  const place = canonicalJson([view.snapshot.conversationId.toWellFormed(), 'origin', suspect.stepIndex]);
  const ref = `ev_${sha256Hex(place).slice(0, 20)}`;
  return { ref, kind: 'message', title, summary: suspect.because, url: null, location };
}
