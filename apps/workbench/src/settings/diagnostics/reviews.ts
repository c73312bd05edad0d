import type { Api } from '@clew/sdk';
import type { Tone } from '../../ui/badges.tsx';
import { count, percent } from '../../text/format.ts';

export const MODES = [
  { id: 'auto', label: 'Sampled, where a model for it is there' },
  { id: 'sampled', label: 'Sampled: half at random, half of those with bad scores' },
  { id: 'all', label: 'All conversations, up to the limit of a day' },
  { id: 'off', label: 'Off' },
] as const;

/** Mode that a choice stands for. */
export function modeOf(id: string): Api.DiagnosticSettings['reviewMode'] {
  return id === 'off' || id === 'sampled' || id === 'all' ? id : null;
}

export const VERDICT_TONES: Readonly<Record<Api.Review['verdict'], Tone>> = {
  achieved: 'ok',
  partly: 'medium',
  failed: 'critical',
  unclear: 'info',
};

export const CHOSEN_BY: Readonly<Record<Api.Review['chosenBy'], string>> = {
  random: 'drawn at random',
  score: 'for its bad score',
  all: 'as all are',
  backfill: 'by a backfill',
};

/** Meaning of the reviews for all conversations, in a sentence. */
export function failureText({ rate, low, high, reviewed, of }: Api.FailureRate): string {
  if (rate === null) return 'No conversation was drawn at random and read yet, so nobody can tell.';
  return `Between ${percent(low)} and ${percent(high)} with 95% confidence: ${count(reviewed)} were read for ${count(of)} conversations.`;
}

/** Share in which a problem can still occur after so many clean conversations, with 95% confidence. */
export function remainingShare(exposures: number): number {
  return 1 - 0.05 ** (1 / exposures);
}

/** Start and end of the last days, at whole hours, so that they stay the same for a while. */
export function lastDays(days: number, nowMs: number): { startMs: number; endMs: number } {
  const hour = 3_600_000;
  const endMs = Math.ceil(nowMs / hour) * hour;
  return { startMs: endMs - days * 24 * hour, endMs };
}
