import type { Api } from '@clew/sdk';

type Item = Api.KnowledgeItem;

export interface FieldChange {
  readonly field: string;
  readonly from: string;
  readonly to: string;
}

const FIELDS: readonly (readonly [string, (item: Item) => string])[] = [
  ['title', ({ title }) => title],
  ['content', ({ content }) => content],
  ['kind', ({ kind }) => kind],
  ['status', ({ status, supersededBy }) => (supersededBy === null ? status : 'replaced')],
  ['subject', ({ subject }) => subject.name],
  ['holds from', ({ validFrom }) => dayOf(validFrom)],
  ['holds until', ({ validUntil }) => dayOf(validUntil)],
  ['quotes', ({ evidence }) => String(evidence.length)],
];

/** Fields that changed between two revisions, as people read them. */
export function revisionChanges(before: Item, now: Item): FieldChange[] {
  return FIELDS.map(([field, textOf]) => ({ field, from: textOf(before), to: textOf(now) })).filter(
    ({ from, to }) => from !== to,
  );
}

function dayOf(atMs: number | null): string {
  return atMs === null ? 'not said' : new Date(atMs).toISOString().slice(0, 10);
}

/** Text of a person's edit, and the item that it began with. */
export interface EditedTexts {
  readonly title: string;
  readonly content: string;
}

/** Fields of an edit that it changes; empty if it changes nothing. */
export function editOf(base: EditedTexts, { title, content }: EditedTexts): Partial<EditedTexts> {
  return {
    ...(title.trim() === base.title ? {} : { title: title.trim() }),
    ...(content.trim() === base.content ? {} : { content: content.trim() }),
  };
}

/** Edit over what somebody else has written meanwhile: texts that it leaves alone are theirs. */
export function editOver(base: EditedTexts, draft: EditedTexts, theirs: EditedTexts): EditedTexts {
  const { title, content } = theirs;
  return { title, content, ...editOf(base, draft) };
}
