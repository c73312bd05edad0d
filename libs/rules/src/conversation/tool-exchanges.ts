import type { ConversationMessage, ToolCall } from '@clew/contracts';
import { canonicalJson, sha256Hex } from '@clew/kernel';
import { oncePer } from './once-per.ts';

/** Tool call with the message that answers it; the recording may lack either. */
export interface ToolExchange {
  readonly toolName: string;
  readonly call: ToolCall | undefined;
  readonly callMessage: ConversationMessage | undefined;
  readonly result: ConversationMessage | undefined;
}

type OpenExchange = { -readonly [Key in keyof ToolExchange]: ToolExchange[Key] };

/**
 * Pairs tool calls with their results, in the order of the calls. Pairs by call id; without one, by tool name, else by
 * order among the calls of the last calling message. A result without a call stands alone at its place.
 */
export const toolExchangesOf: (messages: readonly ConversationMessage[]) => readonly ToolExchange[] =
  oncePer(pairedExchanges);

function pairedExchanges(messages: readonly ConversationMessage[]): ToolExchange[] {
  const exchanges: OpenExchange[] = [];
  const byId = new Map<string, OpenExchange[]>();
  let batchByName = new Map<string, OpenExchange[]>();
  let batch: OpenExchange[] = [];
  for (const message of messages) {
    if (message.role === 'tool') {
      const { toolCallId, name } = message;
      const named = toolCallId === undefined ? undefined : takeOpen(byId.get(toolCallId));
      const open = named ?? takeOpen(name === undefined ? batch : batchByName.get(name));
      if (open !== undefined) open.result = message;
      else exchanges.push({ toolName: name ?? 'a tool', call: undefined, callMessage: undefined, result: message });
    } else if (message.toolCalls !== undefined && message.toolCalls.length > 0) {
      const opened = message.toolCalls.map((call): OpenExchange => {
        return { toolName: call.name, call, callMessage: message, result: undefined };
      });
      for (const exchange of opened) {
        exchanges.push(exchange);
        if (exchange.call?.id !== undefined) addTo(byId, exchange.call.id, exchange);
      }
      // Candidates are taken from the end, so they are kept in reverse.
      batch = opened.toReversed();
      batchByName = new Map();
      for (const exchange of batch) addTo(batchByName, exchange.toolName, exchange);
    }
  }
  return exchanges;
}

function addTo(index: Map<string, OpenExchange[]>, key: string, exchange: OpenExchange): void {
  const known = index.get(key);
  if (known === undefined) index.set(key, [exchange]);
  else known.push(exchange);
}

/** Takes the last exchange without a result; each is examined once, so pairing stays linear. */
function takeOpen(candidates: OpenExchange[] | undefined): OpenExchange | undefined {
  for (let open = candidates?.pop(); open !== undefined; open = candidates?.pop()) {
    if (open.result === undefined) return open;
  }
  return undefined;
}

/** Computes a text that is equal for equal arguments; case and white space make no difference. */
export function argumentsKey(call: ToolCall): string {
  const text = jsonText(call.arguments).toLowerCase().replace(/\s+/g, ' ');
  return text.length > 200 ? sha256Hex(text) : text;
}

/** JSON texts by value: each Rule needs the texts of the same arguments, which may be long. */
const knownTexts = new WeakMap<object, string>();

/** Serializes an external value to JSON; accepts deep nesting and lone surrogates, which canonical JSON rejects. */
export function jsonText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return value === undefined ? '' : textOf(value);
  const text = knownTexts.get(value) ?? textOf(value);
  knownTexts.set(value, text);
  return text;
}

function textOf(value: unknown): string {
  try {
    return canonicalJson(value);
  } catch {
    return String(value);
  }
}
