import { INPUT_TYPE_IDS, type InputType } from '../imports/import-fields.ts';

/** State of the page of an Example, all of which is in the address. */
export interface ExampleSearch {
  /** Version of the Dataset at which it is shown; absent: as it is now. */
  readonly version?: number;
  /** Absent: the form. */
  readonly view?: 'json';
  /** Input of a new one. */
  readonly type?: InputType;
  /** Conversation that a new one is made of, and the step with the bad answer. */
  readonly conversation?: string;
  readonly step?: number;
}

const MAX_ID = 512;

/** Reads the state from an address. */
export function parseExampleSearch(given: Readonly<Record<string, unknown>>): ExampleSearch {
  const { view, type, conversation } = given;
  const knownType = INPUT_TYPE_IDS.find((each) => each === type);
  const version = numberOf(given['version'], 15);
  const step = numberOf(given['step'], 5);
  const isOfConversation = typeof conversation === 'string' && conversation !== '' && conversation.length <= MAX_ID;
  return {
    ...(version === undefined ? {} : { version }),
    ...(view === 'json' ? { view } : {}),
    ...(knownType === undefined ? {} : { type: knownType }),
    ...(isOfConversation ? { conversation, ...(step === undefined ? {} : { step }) } : {}),
  };
}

function numberOf(value: unknown, digits: number): number | undefined {
  const text = String(value);
  return /^\d+$/.test(text) && text.length <= digits ? Number(text) : undefined;
}
