import type { SpanReading } from '../dialects/index.ts';
import type { Said } from './message-table.ts';
import type { SpanNode } from './span-index.ts';

/** One call of a model (or a whole agent run of which no call was recorded): what went in and what came out. */
export interface ModelCall {
  node: SpanNode;
  reading: CallReading;
  agentName: string | undefined;
  /** The instructions: given apart, or leading the messages. */
  system: Said[];
  /** The messages after them. */
  body: Said[];
  output: Said[];
  hasInput: boolean;
}

export type CallReading = Omit<SpanReading, 'system' | 'input' | 'output'>;
