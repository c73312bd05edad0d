import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import { AppError } from '@clew/kernel';
import { decodeUtf8, parsePart, readBody } from '@clew/http';
import { markup, type Html } from './html.ts';

const MAX_FORM_BYTES = 16 * 1024;
const FORM = 'application/x-www-form-urlencoded';

/** Reads the fields of a posted form by their schema; a field given twice is refused. */
export async function readForm<Schema extends z.ZodType>(
  request: IncomingMessage,
  schema: Schema,
): Promise<z.output<Schema>> {
  const mediaType = (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (mediaType !== FORM) throw new AppError('UNSUPPORTED_MEDIA_TYPE', `content-type must be ${FORM}`);
  const text = decodeUtf8(await readBody(request, MAX_FORM_BYTES));
  const fields = Object.create(null) as Record<string, string>;
  for (const [name, value] of new URLSearchParams(text)) {
    if (name in fields) throw new AppError('BAD_REQUEST', `The field ${name} is given twice`);
    fields[name] = value;
  }
  return parsePart('body', schema, fields);
}

/** Value of a query parameter; undefined unless it is given once. */
export function queryOf(request: IncomingMessage, name: string): string | undefined {
  const [, query = ''] = (request.url ?? '').split('?', 2);
  const values = new URLSearchParams(query).getAll(name);
  return values.length === 1 ? values[0] : undefined;
}

export interface Field {
  name: string;
  label: string;
  type: 'text' | 'email' | 'password';
  /** Kind of value that the browser may fill in: `username`, `new-password`. */
  autocomplete: string;
  value?: string | undefined;
  hint?: string;
  minLength?: number;
}

export interface Form {
  action: string;
  fields: readonly Field[];
  /** Fields that nobody sees. */
  hidden?: Readonly<Record<string, string>>;
  button: string;
  /** Problem of the form that was sent before. */
  problem?: string | undefined;
}

/** Form that works without script. */
export function form({ action, fields, hidden = {}, button, problem }: Form): Html {
  return markup`${problem === undefined ? '' : markup`<p class="problem" role="alert">${problem}</p>`}
    <form method="post" action="${action}">
      ${Object.entries(hidden).map(([name, value]) => markup`<input type="hidden" name="${name}" value="${value}">`)}
      ${fields.map(inputOf)}
      <button>${button}</button>
    </form>`;
}

/** Field for a password that somebody chooses. */
export function newPasswordField(name: string, minLength: number): Field {
  const hint = `At least ${minLength} characters. Several words in a row are easy to remember.`;
  return { name, label: 'New password', type: 'password', autocomplete: 'new-password', minLength, hint };
}

function inputOf({ name, label, type, autocomplete, value, hint, minLength }: Field): Html {
  return markup`<label>${label}
    <input name="${name}" type="${type}" autocomplete="${autocomplete}" value="${value ?? ''}"
      required${minLength === undefined ? '' : markup` minlength="${minLength}"`}>
    ${hint === undefined ? '' : markup`<span class="hint">${hint}</span>`}</label>`;
}
