import { NewExample } from '@clew/contracts';
import { refused, type Collected, type Refused } from '../decision.ts';
import type { SecondLookAnswer } from './answers.ts';

/** Outcome of a synthesis that the model gave an answer for. */
export type Synthesized = (Collected & { readonly secondLook: 'confirmed' | 'not_made' }) | Refused;

export interface SynthesisOptions {
  datasetId: string;
  redaction: boolean;
  /** Model that is asked; the Example says so. */
  model: string;
  /** Context length of the model in tokens; null if it is unknown. */
  contextLength: number | null;
}

const MAX_TAG = 200;

/** Tag that names the model that wrote a response. */
export function modelTag(model: string): string {
  return `model:${model}`.slice(0, MAX_TAG).toWellFormed();
}

/** Result as it is, if a Dataset could store its Example. */
export function valid(made: Collected | Refused): Collected | Refused {
  if (made.status === 'refused') return made;
  return NewExample.safeParse(made.examples[0].example).success ? made : refused('example_invalid');
}

/** Keeps an Example unless a second look finds that it is not right. One that could not be made refutes nothing. */
export function afterSecondLook(made: Collected, said: SecondLookAnswer | undefined): Synthesized {
  if (said === undefined) return { ...made, secondLook: 'not_made' };
  return said.right === 'yes' ? { ...made, secondLook: 'confirmed' } : refused('second_look');
}
