import type { DiagnosedProblem, SnapshotMessage, SynthesisReason } from '@clew/contracts';

/** Message of an assistant that was a mistake, and how that is known. */
export interface Mistake {
  readonly because: Exclude<SynthesisReason, 'knowledge_item'>;
  /** Position of the mistaken message in the conversation. */
  readonly at: number;
  readonly message: SnapshotMessage;
  /** Problems that show it, by their ids. */
  readonly problems: readonly DiagnosedProblem[];
  /** Message in which the user corrects it, if that shows it. */
  readonly correction?: { readonly at: number; readonly message: SnapshotMessage };
}

/** Tells whether a message says something, or did before its words expired. */
export function saysSomething({ content, toolCalls = [], textExpired }: SnapshotMessage): boolean {
  return textExpired === true || content.trim() !== '' || toolCalls.length > 0;
}
