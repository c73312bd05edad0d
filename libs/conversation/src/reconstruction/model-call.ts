import type { SpanReading } from '../dialects/index.ts';
import type { Said } from './message-table.ts';
import type { SpanNode } from './span-index.ts';

/** Model call (or a whole agent run without recorded calls): its input and its output. */
export interface ModelCall {
  node: SpanNode;
  reading: CallReading;
  agentName: string | undefined;
  /** Instructions: given separately, or leading the messages. */
  system: Said[];
  /** Messages after the instructions. */
  body: Said[];
  output: Said[];
  hasInput: boolean;
}

export type CallReading = Omit<SpanReading, 'system' | 'input' | 'output'>;
