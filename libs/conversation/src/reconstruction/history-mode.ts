import type { ModelCall } from './model-call.ts';
import type { Said } from './message-table.ts';

/** Group of calls with the same kind of history: those of one agent, or those of all calls that name no agent. */
export function historyGroup(call: ModelCall): string {
  return call.agentName ?? '';
}

/**
 * Finds the groups whose calls repeat their history. In these, a call that begins like an earlier one continues,
 * retries or regenerates it. In the others, which send only new messages, an equal message is another turn. Expects
 * calls in call order.
 */
export function groupsWithHistory(calls: readonly ModelCall[]): Set<string> {
  const groups = new Set<string>();
  const answers = new Set<number>();
  const openings = new Set<number>();
  for (const call of calls) {
    const opening = call.body[0]?.symbol;
    const isKnownOpening = opening !== undefined && openings.has(opening);
    if (call.body.some((said) => isAnswer(said) && (isKnownOpening || answers.has(said.symbol)))) {
      groups.add(historyGroup(call));
    }
    for (const said of call.output) if (isAnswer(said)) answers.add(said.symbol);
    if (opening !== undefined) openings.add(opening);
  }
  return groups;
}

function isAnswer({ message }: Said): boolean {
  return message.role === 'assistant';
}

/**
 * Assigns each call to a thread: that of its agent, or that of its instructions. A call with neither continues the
 * thread of the unnamed call before it, because instrumentations may send instructions only once.
 */
export function threadsOf(calls: readonly ModelCall[]): string[] {
  let unnamed = '';
  return calls.map((call) => {
    if (call.agentName !== undefined) return `agent ${call.agentName}`;
    if (call.system.length > 0) unnamed = `system ${call.system.map(({ symbol }) => symbol).join(' ')}`;
    return unnamed;
  });
}
