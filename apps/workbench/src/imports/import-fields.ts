/** Type of the input that the forms of a Dataset begin with. */
export const INPUT_TYPES = {
  chat: { label: 'Chat', text: 'Messages, with tools if there are any' },
  prompt: { label: 'Prompt', text: 'One prompt, with a system text if there is one' },
  instruction: {
    label: 'Instruction',
    text: 'An instruction, with a context if there is one',
  },
  text: { label: 'Text', text: 'A plain text, for instance one to be classified' },
  json: { label: 'JSON', text: 'Any JSON value' },
} as const;
export type InputType = keyof typeof INPUT_TYPES;
export const INPUT_TYPE_IDS = Object.keys(INPUT_TYPES) as InputType[];

/** Fields that a column of a CSV may fill, with their names in the form. */
export const IMPORT_FIELDS = {
  input: 'Input (by its type)',
  'input.text': 'Input: text',
  'input.prompt': 'Input: prompt',
  'input.system': 'Input: system text',
  'input.instruction': 'Input: instruction',
  'input.context': 'Input: context',
  'input.messages': 'Input: messages (JSON)',
  'input.tools': 'Input: tools (JSON)',
  'input.parallelToolCalls': 'Input: parallel tool calls',
  'input.value': 'Input: value (JSON)',
  'input.type': 'Input: type',
  expectedOutput: 'Expected (by its type)',
  'expectedOutput.text': 'Expected: text',
  'expectedOutput.label': 'Expected: label',
  'expectedOutput.message': 'Expected: message (JSON)',
  'expectedOutput.value': 'Expected: value (JSON)',
  'expectedOutput.type': 'Expected: type',
  rejectedOutput: 'Rejected (by its type)',
  'rejectedOutput.text': 'Rejected: text',
  'rejectedOutput.label': 'Rejected: label',
  'rejectedOutput.message': 'Rejected: message (JSON)',
  'rejectedOutput.value': 'Rejected: value (JSON)',
  'rejectedOutput.type': 'Rejected: type',
  rubric: 'Rubric (JSON)',
  tags: 'Tags',
  kind: 'Source: kind',
  'source.kind': 'Source: kind ',
  externalRef: 'Source: reference',
  'source.externalRef': 'Source: reference ',
  conversationId: 'Source: conversation',
  'source.conversationId': 'Source: conversation ',
  traceIds: 'Source: traces',
  'source.traceIds': 'Source: traces ',
  derivationKey: 'Source: derivation key',
  'source.derivationKey': 'Source: derivation key ',
  id: 'Id (of an export)',
  createdAt: 'Made at (of an export)',
  updatedAt: 'Changed at (of an export)',
} as const;
export type ImportField = keyof typeof IMPORT_FIELDS;

/** Field of each column; columns that it does not name are left out. */
export type Mapping = Readonly<Record<string, ImportField>>;

export function isImportField(name: string): name is ImportField {
  return Object.hasOwn(IMPORT_FIELDS, name);
}

const JSON_FIELDS: readonly ImportField[] = [
  ...(['input.messages', 'input.tools', 'input.parallelToolCalls', 'input.value'] as const),
  ...(['expectedOutput.message', 'expectedOutput.value'] as const),
  ...(['rejectedOutput.message', 'rejectedOutput.value', 'rubric'] as const),
];

/** Whether the text of a field is JSON. */
export function isJsonField(field: ImportField): boolean {
  return JSON_FIELDS.includes(field);
}

/** Names that columns of other tools have, by the field that they mean. */
const KNOWN_NAMES: Readonly<Record<string, ImportField | 'main'>> = {
  ...{ input: 'main', question: 'main', query: 'main', text: 'main', user: 'main', prompt: 'input.prompt' },
  ...{ instruction: 'input.instruction', context: 'input.context', system: 'input.system' },
  ...{ messages: 'input.messages', tools: 'input.tools' },
  ...{ output: 'expectedOutput.text', answer: 'expectedOutput.text', response: 'expectedOutput.text' },
  ...{ completion: 'expectedOutput.text', expected: 'expectedOutput.text', chosen: 'expectedOutput.text' },
  ...{ target: 'expectedOutput.text', label: 'expectedOutput.label', category: 'expectedOutput.label' },
  ...{ class: 'expectedOutput.label', rejected: 'rejectedOutput.text', bad: 'rejectedOutput.text' },
  ...{ tags: 'tags', tag: 'tags', rubric: 'rubric', reference: 'externalRef', ref: 'externalRef' },
};

/** Field for a column of words; messages and values are JSON, which a question is not. */
const WORD_FIELDS: Readonly<Record<InputType, ImportField>> = {
  ...{ chat: 'input.prompt', prompt: 'input.prompt', json: 'input.prompt' },
  ...{ instruction: 'input.instruction', text: 'input.text' },
};

/** Fields that the columns probably mean, by their names. No field is filled twice. */
export function suggestedMapping(header: readonly string[], inputType: InputType): Mapping {
  const taken = new Set<ImportField>();
  const pairs = header.flatMap((name): [string, ImportField][] => {
    const known = isImportField(name)
      ? name
      : KNOWN_NAMES[
          name
            .trim()
            .toLowerCase()
            .replaceAll(/[\s_-]/g, '')
        ];
    const field = known === 'main' ? WORD_FIELDS[inputType] : known;
    if (field === undefined || taken.has(field)) return [];
    taken.add(field);
    return [[name, field]];
  });
  return Object.fromEntries(pairs);
}

/** Gives a column another field, or none; a column that had it loses it. */
export function mapped(mapping: Mapping, column: string, field: ImportField | undefined): Mapping {
  const others = Object.entries(mapping).filter(([name, given]) => name !== column && given !== field);
  return Object.fromEntries(field === undefined ? others : [...others, [column, field] as const]);
}

/** Mapping as the API takes it; none where the columns have the names of their fields, as those of an export. */
export function mappingQuery(header: readonly string[], mapping: Mapping): string | undefined {
  return header.every((name) => mapping[name] === name) ? undefined : JSON.stringify(mapping);
}
