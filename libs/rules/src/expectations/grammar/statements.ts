import type { ExpectationCheck, Severity } from '@clew/contracts';

/** Describes a check in words, for people who read it without its prompt. */
export function statementOf(check: ExpectationCheck): string {
  switch (check.form) {
    case 'confirm_before':
      return `The user agrees before ${listed(check.tools)} is called`;
    case 'requires_first':
      return `${listed(check.one_of)} succeeds before ${check.tools.includes('*') ? 'any other tool' : listed(check.tools)} is called`;
    case 'never_call':
      return `${listed(check.tools)} is never called`;
    case 'max_calls':
      return `${check.tools.includes('*') ? 'Tools are' : `${listed(check.tools)} is`} called at most ${check.count} ${check.count === 1 ? 'time' : 'times'} in a conversation`;
    case 'one_call_at_a_time':
      return 'Tools are called one at a time';
    case 'no_words_with_calls':
      return 'A step that calls a tool says nothing';
    case 'grounded_arguments':
      return 'What tools are called with comes from a user, a tool or the prompt';
    case 'answer_matches':
      return `Each answer matches ${check.pattern}`;
    case 'answer_never_matches':
      return `No message matches ${check.pattern}`;
    case 'ends_with':
      return `The conversation ends with ${[check.tools === undefined ? [] : [`a call of ${listed(check.tools)}`], check.pattern === undefined ? [] : [`an answer that matches ${check.pattern}`]].flat().join(' and ')}`;
  }
}

/** Returns the severity of a violation of a compiled check, until a person sets another. */
export function severityOfForm(form: ExpectationCheck['form']): Severity {
  switch (form) {
    case 'confirm_before':
    case 'never_call':
      return 'high';
    case 'one_call_at_a_time':
    case 'no_words_with_calls':
    case 'ends_with':
      return 'low';
    default:
      return 'medium';
  }
}

const MAX_LISTED = 8;

function listed(tools: readonly string[]): string {
  const shown = tools.slice(0, MAX_LISTED).join(' or ');
  return tools.length > MAX_LISTED ? `${shown} or ${tools.length - MAX_LISTED} others` : shown;
}
