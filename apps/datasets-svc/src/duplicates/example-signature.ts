import type { ExamplePayload } from '@clew/contracts';
import { signatureOfTexts } from './signature.ts';

/**
 * What near duplicates of an Example share: the MinHash signature of what its input and its expected output say, 64
 * bytes. System texts do not count: hundreds of Examples share theirs, and are no duplicates for it.
 */
export function exampleSignature({ input, expectedOutput }: ExamplePayload): Uint8Array {
  const texts = [...textsOfInput(input), ...(expectedOutput === undefined ? [] : textsOf(expectedOutput))];
  return signatureOfTexts(texts, () => JSON.stringify({ input, expectedOutput }));
}

/** Members that say of what kind something is, not what it says. */
const NAMING_MEMBERS = new Set(['type', 'role', 'id', 'toolCallId']);
/** The payload's own members that hold what is said; other names are content themselves. */
const WRAPPING_MEMBERS = new Set(['content', 'text', 'message', 'value', 'label', 'toolCalls', 'name', 'arguments']);
const SYSTEM_ROLES: readonly string[] = ['system', 'developer'];

function textsOfInput(input: ExamplePayload['input']): string[] {
  switch (input.type) {
    case 'chat':
      return input.messages.filter(({ role }) => !SYSTEM_ROLES.includes(role)).flatMap(textsOf);
    case 'prompt':
      return [input.prompt];
    case 'instruction':
      return input.context === undefined ? [input.instruction] : [input.instruction, input.context];
    case 'text':
      return [input.text];
    case 'json':
      return textsOf(input.value);
  }
}

/** The texts, numbers and names within any JSON, in their order. */
function textsOf(value: unknown): string[] {
  const texts: string[] = [];
  collect(value, texts);
  return texts;
}

function collect(value: unknown, texts: string[]): void {
  if (typeof value === 'string') texts.push(value);
  else if (typeof value === 'number' || typeof value === 'boolean') texts.push(String(value));
  else if (Array.isArray(value)) for (const entry of value) collect(entry, texts);
  else if (typeof value === 'object' && value !== null) collectMembers(value, texts);
}

function collectMembers(object: object, texts: string[]): void {
  const isNaming = 'type' in object || 'role' in object || 'toolCallId' in object;
  for (const [name, member] of Object.entries(object)) {
    if (isNaming && NAMING_MEMBERS.has(name)) continue;
    if (!WRAPPING_MEMBERS.has(name)) texts.push(name);
    collect(member, texts);
  }
}
