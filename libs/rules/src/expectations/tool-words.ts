const MAX_NAME_LENGTH = 200;

/** Splits a tool's name into words: `cancelOrder`, `cancel_order` and `orders.cancel` have two. */
export function toolWords(toolName: string): string[] {
  return toolName
    .slice(0, MAX_NAME_LENGTH)
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

const ASKING = new Set(['ask', 'confirm', 'prompt']);
const PEOPLE = new Set(['user', 'customer', 'human', 'client', 'caller', 'person', 'guest', 'patient', 'employee']);
const REQUESTING = new Set(['ask', 'request', 'get', 'obtain', 'await', 'collect']);
const AGREEMENTS = new Set(['confirmation', 'approval', 'consent', 'permission']);

/** Tells whether a tool puts a question to the user and returns the answer (`ask_user`, `request_approval`). */
export function asksUser(toolName: string): boolean {
  const words = toolWords(toolName);
  const some = (vocabulary: ReadonlySet<string>): boolean => words.some((word) => vocabulary.has(word));
  return (some(ASKING) && some(PEOPLE)) || (some(REQUESTING) && some(AGREEMENTS));
}
