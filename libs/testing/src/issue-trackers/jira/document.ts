/** Text of a document of Jira, or of a plain text. */
export function textOf(node: unknown): string {
  if (typeof node === 'string') return node;
  if (typeof node !== 'object' || node === null) return '';
  const { text, content } = node as { text?: unknown; content?: unknown };
  const own = typeof text === 'string' ? text : '';
  return Array.isArray(content) ? [own, ...content.map(textOf)].filter((part) => part !== '').join('\n') : own;
}

/** Tells whether a value is a document: the outermost form, which Jira checks before anything else. */
export function isDocument(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { type, version, content } = value as Record<string, unknown>;
  return type === 'doc' && version === 1 && Array.isArray(content) && !hasEmptyText(value);
}

function hasEmptyText(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false;
  const { type, text, content } = node as Record<string, unknown>;
  if (type === 'text' && (typeof text !== 'string' || text === '')) return true;
  return Array.isArray(content) && content.some(hasEmptyText);
}

/** Builds a document with one paragraph. */
export function documentOf(text: string): unknown {
  const content = text === '' ? [] : [{ type: 'paragraph', content: [{ type: 'text', text }] }];
  return { type: 'doc', version: 1, content };
}
