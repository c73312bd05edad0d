import * as contracts from './index.ts';
import type { MessageSpec } from './messages/envelope.ts';

type Exported = (typeof contracts)[keyof typeof contracts];

/** Every event that the contracts declare. */
export type EventSpec = Extract<Exported, MessageSpec & { readonly kind: 'event' }>;
export type EventType = EventSpec['type'];

/** Lists every message that the contracts declare, in every version. */
export function allMessages(): MessageSpec[] {
  const exported: unknown[] = Object.values(contracts);
  return exported.filter(isMessageSpec);
}

function isMessageSpec(value: unknown): value is MessageSpec {
  return typeof value === 'object' && value !== null && 'kind' in value && 'type' in value && 'data' in value;
}
