import type { MessageRole } from '../dialects/index.ts';

/** Fields of a message that tell which calls it makes and which call it answers. */
export interface LinkedMessage {
  role: MessageRole;
  toolCalls?: readonly { id?: string | undefined }[] | undefined;
  toolCallId?: string | undefined;
}

/** Position of a call: the index of its message, and its index in the message. */
export type CallPosition = readonly [messageIndex: number, callIndex: number];

/**
 * Finds the call that each tool result answers, by position: the nearest earlier call with its id that has no result
 * yet (or has one already, if none is open), else the first call without a result of the nearest message that has one.
 * Null for a result that answers nothing. A pure function of the messages, so that a stored conversation gives the same
 * links as a freshly assembled one.
 */
export function resultPositions(messages: readonly LinkedMessage[]): (CallPosition | null)[] {
  const byId = new Map<string, { position: CallPosition; isOpen: boolean }[]>();
  const open: { messageIndex: number; calls: Set<number> }[] = [];
  return messages.map((message, messageIndex) => {
    if (message.toolCalls !== undefined && message.toolCalls.length > 0) {
      open.push({ messageIndex, calls: new Set(message.toolCalls.keys()) });
      message.toolCalls.forEach(({ id }, callIndex) => {
        if (id === undefined) return;
        const list = byId.get(id);
        const call = { position: [messageIndex, callIndex] as const, isOpen: true };
        if (list === undefined) byId.set(id, [call]);
        else list.push(call);
      });
    }
    if (message.role !== 'tool') return null;
    const named = message.toolCallId === undefined ? undefined : byId.get(message.toolCallId);
    const position = named === undefined ? firstOpen(open) : answerById(named);
    if (position !== undefined) close(open, position);
    return position ?? null;
  });
}

function answerById(calls: { position: CallPosition; isOpen: boolean }[]): CallPosition | undefined {
  const latest = calls.at(-1)?.position[0];
  // Within one message the first open call counts, between messages the latest.
  const call = calls.findLast((item) => item.isOpen);
  const first =
    calls.find((item) => item.isOpen && item.position[0] === call?.position[0]) ??
    calls.find((item) => item.position[0] === latest);
  if (first !== undefined) first.isOpen = false;
  return first?.position;
}

function firstOpen(open: readonly { messageIndex: number; calls: Set<number> }[]): CallPosition | undefined {
  const nearest = open.at(-1);
  const callIndex = nearest?.calls.values().next().value;
  return nearest === undefined || callIndex === undefined ? undefined : [nearest.messageIndex, callIndex];
}

function close(open: { messageIndex: number; calls: Set<number> }[], [messageIndex, callIndex]: CallPosition): void {
  const at = open.findLastIndex((item) => item.messageIndex === messageIndex);
  const item = open[at];
  if (item === undefined) return;
  item.calls.delete(callIndex);
  if (item.calls.size === 0) open.splice(at, 1);
}
