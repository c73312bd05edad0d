import { useMutation } from '@tanstack/react-query';
import { PreconditionFailedError, type Api } from '@clew/sdk';
import { lazy, Suspense, useRef, type ReactNode } from 'react';
import { clew } from '../api/client.ts';
import { VisibleText } from '../text/hostile-text.tsx';
import { ClashNote } from '../ui/clash-note.tsx';
import { Button } from '../ui/button.tsx';
import { fieldErrors } from '../ui/field-errors.ts';
import { TextArea, TextField } from '../ui/fields.tsx';
import { FormError } from '../ui/form-error.tsx';
import { unquotedTerms } from './edit-check.ts';
import { editOf, editOver } from './revisions.ts';
import type { Review } from './use-review.tsx';

const WordDiff = lazy(() => import('../ui/word-diff.tsx'));

/** Edit that is not saved yet. It outlives a turn to another item. */
export interface Draft {
  readonly title: string;
  readonly content: string;
  /** Item as it was when the edit began, or when the person last looked at what others had changed. */
  readonly base: Api.KnowledgeItem;
}

interface EditorProps {
  readonly projectId: string;
  readonly item: Api.KnowledgeItem;
  readonly review: Review;
  readonly draft: Draft | undefined;
  readonly onDraft: (draft: Draft | undefined) => void;
  readonly onEdited: (isSaved: boolean) => void;
}

const MAX_TITLE = 200;
const MAX_CONTENT = 4_000;

type Saved = { readonly item: Api.KnowledgeItem } | { readonly conflict: Api.KnowledgeItem };

/** Form for title and content, which says at once what no quote says. */
export function ItemEditor({ projectId, item, review, draft, onDraft, onEdited }: EditorProps): ReactNode {
  const { title, content, base } = draft ?? { title: item.title, content: item.content, base: item };
  const set = (change: Partial<Draft>) => onDraft({ title, content, base, ...change });
  const edit = editOf(base, { title, content });
  const isChanged = Object.keys(edit).length > 0;
  const form = useRef<HTMLFormElement>(null);
  const save = useMutation({
    mutationFn: () => saveEdit(projectId, base, edit),
    onSuccess: (saved) => {
      if ('conflict' in saved) return;
      onDraft(undefined);
      review.saved(saved.item);
      onEdited(true);
    },
  });
  const conflict = save.data !== undefined && 'conflict' in save.data ? save.data.conflict : undefined;
  const errors = fieldErrors(save.error);
  const close = (isKept: boolean) => {
    if (!isKept) onDraft(undefined);
    onEdited(false);
  };
  const submit = () => {
    if (isChanged && !save.isPending) save.mutate();
  };
  return (
    <form
      ref={form}
      aria-label="Edit"
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close(true);
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
      }}
    >
      <TextField
        label="Title"
        value={title}
        maxLength={MAX_TITLE}
        autoFocus
        error={errors.get('title')}
        onChange={(value) => set({ title: value })}
      />
      <TextArea
        label="Content"
        value={content}
        maxLength={MAX_CONTENT}
        rows={6}
        error={errors.get('content')}
        onChange={(value) => set({ content: value })}
      />
      <EditCheck text={`${title}\n${content}`} item={item} />
      {conflict === undefined ? null : (
        <Conflict
          {...{ base, conflict }}
          onKeep={() => {
            onDraft({ ...editOver(base, { title, content }, conflict), base: conflict });
            save.reset();
            form.current?.querySelector('input')?.focus();
          }}
          onTake={() => {
            review.saved(conflict);
            close(false);
          }}
        />
      )}
      <FormError error={save.error} taken={errors.has('title') || errors.has('content')} />
      <EditorButtons
        isSavable={isChanged && !save.isPending && conflict === undefined}
        onDiscard={() => close(false)}
      />
    </form>
  );
}

interface ButtonsProps {
  readonly isSavable: boolean;
  readonly onDiscard: () => void;
}

function EditorButtons({ isSavable, onDiscard }: ButtonsProps): ReactNode {
  return (
    <div className="flex items-center gap-2">
      <Button type="submit" look="main" isDisabled={!isSavable}>
        Save
      </Button>
      <Button onPress={onDiscard}>Discard</Button>
      <span className="text-xs text-muted">
        <kbd>Ctrl ↵</kbd> saves, <kbd>Esc</kbd> leaves the draft for later
      </span>
    </div>
  );
}

function EditCheck({ text, item }: { readonly text: string; readonly item: Api.KnowledgeItem }): ReactNode {
  if (item.evidence.length === 0) return null;
  const quotes = item.evidence.map(({ quote }) => quote);
  const missing = unquotedTerms(text, [...quotes, item.subject.name]);
  return (
    <p role="status" className={`text-xs ${missing.length === 0 ? 'text-ok' : 'text-medium'}`}>
      {missing.length === 0 ? (
        'Its numbers and names stand in the quotes.'
      ) : (
        <>
          No quote says{' '}
          {missing.map((term, at) => (
            <span key={term}>
              {at === 0 ? '' : ', '}
              <strong className="font-semibold">
                <VisibleText text={term} />
              </strong>
            </span>
          ))}
          . It may still be saved: what a person writes is taken as it is.
        </>
      )}
    </p>
  );
}

interface ConflictProps {
  readonly base: Api.KnowledgeItem;
  readonly conflict: Api.KnowledgeItem;
  readonly onKeep: () => void;
  readonly onTake: () => void;
}

function Conflict({ base, conflict, onKeep, onTake }: ConflictProps): ReactNode {
  const texts = [
    ['Title', base.title, conflict.title],
    ['Content', base.content, conflict.content],
  ] as const;
  const changed = texts.filter(([, before, after]) => before !== after);
  return (
    <ClashNote thing="the item" onMine={onKeep} onTheirs={onTake} mineLabel="Go on with my draft">
      <div className="flex flex-col gap-1.5">
        {changed.length === 0 ? <p>Its title and content are as they were.</p> : null}
        {changed.map(([name, before, after]) => (
          <div key={name}>
            <span className="text-xs text-muted">{name}: </span>
            <Suspense fallback={<VisibleText text={after} />}>
              <WordDiff before={before} after={after} />
            </Suspense>
          </div>
        ))}
      </div>
    </ClashNote>
  );
}

async function saveEdit(
  projectId: string,
  { id, revision }: Api.KnowledgeItem,
  edit: Partial<Pick<Draft, 'title' | 'content'>>,
): Promise<Saved> {
  const { data, etag } = await clew.knowledge.items.get(id, { project: projectId }).withResponse();
  if (data.revision !== revision) return { conflict: data };
  try {
    return { item: await clew.knowledge.items.update(id, edit, { project: projectId, ifMatch: etag }) };
  } catch (error) {
    if (!(error instanceof PreconditionFailedError)) throw error;
    return { conflict: await clew.knowledge.items.get(id, { project: projectId }) };
  }
}
