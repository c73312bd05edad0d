import type { ApiCall, Page } from '@clew/sdk';
import type { Context, Verb } from '../command.ts';
import { usageError } from '../exit.ts';
import { readJsonObject } from '../json-input.ts';
import { IDEMPOTENCY_KEY, IF_MATCH, own } from '../options.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
type Method = (typeof METHODS)[number];

/** Command that calls any path. */
export const VERBS: readonly Verb[] = [
  {
    ...{ name: 'api', summary: 'call any path of the API, and print its answer', args: '<method> <path>' },
    options: [
      own('-f, --field <name=value>', 'member of the body, or of the query with GET and DELETE', {
        ...{ isRepeatable: true, parse: fieldOf },
      }),
      own('--input <file>', 'file of JSON for the body; - for what is piped in'),
      own('--paginate', 'also read all further pages, one answer a line'),
      IDEMPOTENCY_KEY,
      IF_MATCH,
    ],
    ...{ example: 'api GET /v1/projects -f limit=10', isProjectless: true, run: callApi },
  },
];

type Field = readonly [name: string, value: unknown];

/** Reads name=value; a value that is JSON counts as such. */
function fieldOf(given: string): Field {
  const at = given.indexOf('=');
  if (at < 1) throw new Error('must be name=value');
  const text = given.slice(at + 1);
  if (!/^(?:true|false|null|-?\d{1,15}(?:\.\d{1,15})?|[[{"].*)$/s.test(text)) return [given.slice(0, at), text];
  try {
    return [given.slice(0, at), JSON.parse(text)];
  } catch {
    return [given.slice(0, at), text];
  }
}

async function callApi(context: Context): Promise<void> {
  const method = context.arg(0).toUpperCase() as Method;
  if (!METHODS.includes(method)) throw usageError(`${context.arg(0)} is no method`, METHODS.join(', '));
  const path = pathOf(context);
  const fields = Object.fromEntries(context.list('field') as unknown as readonly Field[]);
  const file = context.text('input');
  const isRead = method === 'GET' || method === 'DELETE';
  const given = file === undefined ? {} : await readJsonObject(context, file);
  const hasBody = file !== undefined || (!isRead && Object.keys(fields).length > 0);
  const clew = await context.client();
  const request = {
    ...(isRead ? { query: fields } : {}),
    ...(hasBody ? { body: { ...given, ...(isRead ? {} : fields) } } : {}),
    ...context.query(),
  };
  const call = (more: object): ApiCall<unknown> =>
    clew.request(method, path, { ...request, query: { ...(isRead ? fields : {}), ...more } });
  const first = await call({});
  await context.output.json(first);
  if (!context.flag('paginate')) return;
  for (let cursor = cursorOf(first); cursor !== null;) {
    const next = await call({ cursor });
    await context.output.json(next);
    cursor = cursorOf(next);
  }
}

function pathOf({ arg, settings }: Context): string {
  if (!arg(1).startsWith('/')) throw usageError('A path begins with a slash', '/v1/projects');
  if (!arg(1).includes('{projectId}')) return arg(1);
  const { project } = settings();
  if (project === undefined) throw usageError('Name a project', '--project <id>');
  return arg(1).replace('{projectId}', encodeURIComponent(project));
}

function cursorOf(body: unknown): string | null {
  const { nextCursor, pagination, page } = body as Partial<Page<unknown, unknown>> & {
    pagination?: { nextCursor: string | null };
    page?: { nextCursor: string | null };
  };
  return nextCursor ?? pagination?.nextCursor ?? page?.nextCursor ?? null;
}
