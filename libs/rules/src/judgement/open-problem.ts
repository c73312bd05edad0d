import type { DiagnosedProblem, Severity } from '@clew/contracts';

const GRAVE: ReadonlySet<Severity> = new Set(['critical', 'high', 'medium']);

/**
 * Tells whether a problem stands against its conversation: it is grave enough, and nobody has dismissed it. That it was
 * resolved since does not make the conversation a good one.
 */
export function isOpenProblem({
  severity,
  reviewStatus,
}: Pick<DiagnosedProblem, 'severity' | 'reviewStatus'>): boolean {
  return GRAVE.has(severity) && reviewStatus !== 'dismissed';
}
