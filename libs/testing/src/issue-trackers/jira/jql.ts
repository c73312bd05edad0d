import { textOf } from './document.ts';
import type { HostedIssue } from '../board/issue-board.ts';

/** Query of Jira that can be run: which issues match, and in which order they are listed. */
export interface JqlQuery {
  matches(issue: HostedIssue): boolean;
  orderBy: { field: 'created' | 'updated' | 'key'; direction: 1 | -1 }[];
}

const TOKEN = /\s*(?:("(?:[^"\\]|\\.)*")|([()]|>=|=|~)|([A-Za-z-]+))/gy;

/**
 * Parses the part of Jira's query language that clients of issues need: comparisons of `project`, `labels`,
 * `description` and `updated`, joined by AND, OR and parentheses, and an order. Undefined for anything else, which Jira
 * would refuse or which is not known here.
 */
export function parseJql(
  jql: string,
  { projectKey, now }: { projectKey: string; now: () => number },
): JqlQuery | undefined {
  const [where = '', order = ''] = jql.split(/\s+ORDER BY\s+/i);
  const tokens = tokensOf(where);
  if (tokens === undefined) return undefined;
  const parser = new JqlParser(tokens, projectKey, now);
  try {
    return { matches: parser.parse(), orderBy: orderOf(order) };
  } catch {
    return undefined;
  }
}

function tokensOf(text: string): string[] | undefined {
  const tokens: string[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    tokens.push(match[0].trim());
    end = match.index + match[0].length;
  }
  return text.slice(end).trim() === '' ? tokens : undefined;
}

function orderOf(order: string): JqlQuery['orderBy'] {
  if (order === '') return [{ field: 'created', direction: -1 }];
  return order.split(',').map((part) => {
    const [field, direction = 'ASC'] = part.trim().split(/\s+/);
    if (field !== 'created' && field !== 'updated' && field !== 'key') throw new SyntaxError('Unknown order');
    return { field, direction: direction.toUpperCase() === 'ASC' ? 1 : -1 };
  });
}

type Matcher = JqlQuery['matches'];

class JqlParser {
  readonly #tokens: string[];
  readonly #projectKey: string;
  readonly #now: () => number;

  constructor(tokens: readonly string[], projectKey: string, now: () => number) {
    this.#tokens = [...tokens];
    this.#projectKey = projectKey;
    this.#now = now;
  }

  parse(): Matcher {
    const matcher = this.#any();
    if (this.#tokens.length > 0) throw new SyntaxError('More than a query');
    return matcher;
  }

  #any(): Matcher {
    const parts = [this.#all()];
    while (this.#takes('OR')) parts.push(this.#all());
    return (issue) => parts.some((matches) => matches(issue));
  }

  #all(): Matcher {
    const parts = [this.#one()];
    while (this.#takes('AND')) parts.push(this.#one());
    return (issue) => parts.every((matches) => matches(issue));
  }

  #one(): Matcher {
    if (this.#takes('(')) {
      const inner = this.#any();
      if (!this.#takes(')')) throw new SyntaxError('An open parenthesis');
      return inner;
    }
    const [field = '', operator = '', value = ''] = this.#tokens.splice(0, 3);
    if (!value.startsWith('"')) throw new SyntaxError('A comparison without a value');
    return this.#comparison(`${field.toLowerCase()} ${operator}`, value.slice(1, -1).replace(/\\(.)/g, '$1'));
  }

  #comparison(form: string, value: string): Matcher {
    switch (form) {
      case 'project =':
        return () => value === this.#projectKey;
      case 'labels =':
        return ({ labels }) => labels.some((label) => label.toLowerCase() === value.toLowerCase());
      case 'description ~': {
        const words = value.replace(/^"|"$/g, '').toLowerCase();
        return ({ body }) => textOf(body).toLowerCase().includes(words);
      }
      case 'updated >=': {
        const minutes = /^-(\d+)m$/.exec(value)?.[1];
        if (minutes === undefined) throw new SyntaxError('Not a known form of time');
        return ({ updatedAtMs }) => updatedAtMs >= this.#now() - Number(minutes) * 60_000;
      }
      default:
        throw new SyntaxError(`Unknown comparison ${form}`);
    }
  }

  #takes(token: string): boolean {
    if (this.#tokens[0]?.toUpperCase() !== token) return false;
    this.#tokens.shift();
    return true;
  }
}
