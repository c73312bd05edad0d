import type { Api } from '@clew/sdk';

/** Labels of the authorities: whose word an item rests on. */
export const AUTHORITY_LABELS: Readonly<Record<Api.KnowledgeItem['authority'], string>> = {
  person_written: 'Written by a person',
  project_stated: 'Said by the system prompt',
  user_stated: 'Said by a user',
  tool_observed: 'Seen in a tool result',
  assistant_inferred: 'Said by the assistant',
};

/** Reasons for which a statement of a model did not become Knowledge. */
export const REJECTION_LABELS: Readonly<Record<string, string>> = {
  malformed: 'The answer of the model could not be read',
  unknown_message: 'It named a message that does not exist',
  quote_not_found: 'The quote is not in the message',
  tainted: 'The quote comes from what was retrieved or recalled',
  not_supported: 'Numbers or names are not in the quote',
  not_entailed: 'It does not follow from the quote',
  other_person: 'It is about another person than the one who spoke',
  contrary: 'The quote says the opposite',
  too_many: 'There were too many statements at once',
};
