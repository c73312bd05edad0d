import type { Api } from '@clew/sdk';

export type Check = Api.Expectation['check'];
export type CheckForm = Check['form'];

type CheckField = 'tools' | 'one_of' | 'count' | 'parameters' | 'pattern';

interface FormFacts {
  readonly label: string;
  /** Fields that it has; those with a mark may be empty. */
  readonly fields: readonly (CheckField | `${CheckField}?`)[];
}

/** Forms of what can be checked at each step of a conversation. */
export const FORMS: Readonly<Record<CheckForm, FormFacts>> = {
  confirm_before: { label: 'Asks the user before it calls', fields: ['tools'] },
  requires_first: { label: 'Calls one thing before another', fields: ['tools', 'one_of'] },
  never_call: { label: 'Never calls', fields: ['tools'] },
  max_calls: { label: 'Calls at most so often', fields: ['tools', 'count'] },
  one_call_at_a_time: { label: 'Makes one call at a time', fields: [] },
  no_words_with_calls: { label: 'Says nothing while it calls', fields: [] },
  grounded_arguments: { label: 'Passes only values that were said before', fields: ['tools', 'parameters?'] },
  answer_matches: { label: 'Each answer matches', fields: ['pattern'] },
  answer_never_matches: { label: 'No message matches', fields: ['pattern'] },
  ends_with: { label: 'Ends with', fields: ['tools?', 'pattern?'] },
};

export const FORM_IDS = Object.keys(FORMS) as CheckForm[];

/** Check as it is typed: lists have one value a line. */
export type CheckDraft = { readonly form: CheckForm; readonly agent: string } & Readonly<Record<CheckField, string>>;

export function hasField(form: CheckForm, field: CheckField): boolean {
  return FORMS[form].fields.some((each) => each === field || each === `${field}?`);
}

export function isOptional(form: CheckForm, field: CheckField): boolean {
  return FORMS[form].fields.includes(`${field}?`);
}

export function checkDraft(check: Check): CheckDraft {
  const text = (name: CheckField) => {
    const value = (check as Readonly<Record<string, unknown>>)[name];
    if (Array.isArray(value)) return value.join('\n');
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  };
  return {
    ...{ form: check.form, agent: check.agent ?? '' },
    ...{ tools: text('tools'), one_of: text('one_of'), count: text('count') },
    ...{ parameters: text('parameters'), pattern: text('pattern') },
  };
}

function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return [...new Set(lines.filter((line) => line !== ''))];
}

/** Check of what was typed; undefined while something is missing. */
export function checkOf(draft: CheckDraft): Check | undefined {
  const { form, agent } = draft;
  const members: Record<string, unknown> = {};
  for (const field of ['tools', 'one_of', 'count', 'parameters', 'pattern'] as const) {
    if (!hasField(form, field)) continue;
    const value = valueOf(draft, field);
    if (value !== undefined) members[field] = value;
    else if (!isOptional(form, field)) return undefined;
  }
  // An end without anything to end with says nothing.
  if (form === 'ends_with' && Object.keys(members).length === 0) return undefined;
  // The members are those of the form, as `FORMS` names them.
  return { form, ...(agent.trim() === '' ? {} : { agent: agent.trim() }), ...members } as Check;
}

function valueOf(draft: CheckDraft, field: CheckField): unknown {
  const text = draft[field];
  if (field === 'pattern') return text === '' ? undefined : text;
  if (field === 'count') {
    const number = Number(text);
    return text.trim() !== '' && Number.isInteger(number) && number >= 1 ? number : undefined;
  }
  const lines = linesOf(text);
  return lines.length === 0 ? undefined : lines;
}

/** Check in a line. */
export function checkText(check: Check): string {
  const { agent, tools, one_of, count, pattern } = checkDraft(check);
  const list = (text: string) => linesOf(text).join(', ');
  const parts = [
    FORMS[check.form].label,
    list(tools),
    one_of === '' ? '' : `after ${list(one_of)}`,
    count === '' ? '' : `${count} times`,
    pattern === '' ? '' : `/${pattern}/`,
    agent === '' ? '' : `(${agent})`,
  ];
  return parts.filter((part) => part !== '').join(' ');
}
