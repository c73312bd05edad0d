import type { ExamplePayload } from '@clew/contracts';
import { signatureOfTexts, type AddText } from '@clew/similarity';

/**
 * Signature by which near duplicates of an Example are found: a MinHash of 64 bytes over the texts of its input and its
 * expected output. System texts do not count, because hundreds of Examples may share them without being duplicates.
 */
export function exampleSignature(payload: ExamplePayload): Uint8Array {
  const { input, expectedOutput } = payload;
  return signatureOfTexts(
    (add) => addTexts(payload, add),
    () => JSON.stringify({ input, expectedOutput }),
  );
}

/** Adds the texts of an Example's input and expected output. */
export function addTexts({ input, expectedOutput }: ExamplePayload, add: AddText): void {
  addInput(input, add);
  addValue(expectedOutput, add);
}

/** Members that tell the kind of an object, not its content. */
const NAMING_MEMBERS = new Set(['type', 'role', 'id', 'toolCallId']);
/** The payload's own member names, which say nothing; other names count as content. */
const WRAPPING_MEMBERS = new Set(['content', 'text', 'message', 'value', 'label', 'toolCalls', 'name', 'arguments']);
const SYSTEM_ROLES: readonly string[] = ['system', 'developer'];

function addInput(input: ExamplePayload['input'], add: AddText): void {
  switch (input.type) {
    case 'chat':
      for (const message of input.messages) if (!SYSTEM_ROLES.includes(message.role)) addValue(message, add);
      return;
    case 'prompt':
      return add(input.prompt);
    case 'instruction':
      add(input.instruction);
      if (input.context !== undefined) add(input.context);
      return;
    case 'text':
      return add(input.text);
    case 'json':
      return addValue(input.value, add);
  }
}

/** Adds the texts, numbers and names within any JSON value, in their order. */
function addValue(value: unknown, add: AddText): void {
  if (typeof value === 'string') add(value);
  else if (typeof value === 'number' || typeof value === 'boolean') add(String(value));
  else if (Array.isArray(value)) for (const entry of value) addValue(entry, add);
  else if (typeof value === 'object' && value !== null) addMembers(value as Record<string, unknown>, add);
}

function addMembers(object: Record<string, unknown>, add: AddText): void {
  const isNaming = 'type' in object || 'role' in object || 'toolCallId' in object;
  for (const name of Object.keys(object)) {
    if (isNaming && NAMING_MEMBERS.has(name)) continue;
    if (!WRAPPING_MEMBERS.has(name)) add(name);
    addValue(object[name], add);
  }
}
