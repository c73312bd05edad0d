import { useBlocker } from '@tanstack/react-router';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { PreconditionFailedError, type Api } from '@clew/sdk';
import { clew } from '../api/client.ts';
import { useChange } from '../ui/use-change.ts';
import type { Comparable } from '../examples/example-changes.ts';
import { datasetsKey, exampleQuery } from '../examples/queries.ts';
import { fieldErrors } from '../ui/field-errors.ts';
import { canonical, changeBetween, contentOf, contentOfJson, jsonOf, type DraftResult } from './draft-payload.ts';
import { draftOf, type ExampleDraft } from './example-draft.ts';

/** Example as it was read, with its entity tag. */
export interface Read {
  readonly example: Api.Example;
  readonly etag: string | undefined;
}

interface FormOptions {
  readonly projectId: string;
  readonly datasetId: string;
  /** Absent for a new one. */
  readonly read: Read | undefined;
  /** Draft of a new one. */
  readonly begin: ExampleDraft | undefined;
  /** Whether it is shown as JSON first. */
  readonly isJson: boolean;
  /** Hears of the saved Example, and whether one goes on to the next. */
  readonly onSaved: (example: Api.Example, goesOn: boolean) => void;
}

/** State of the form of an Example: its draft, what keeps it from being saved, and changes by others. */
export function useExampleForm({ projectId, datasetId, read, begin, isJson: startsAsJson, onSaved }: FormOptions) {
  const client = useQueryClient();
  const [base, setBase] = useState(read);
  const [draft, setDraft] = useState<ExampleDraft>(() => begin ?? draftOf(read?.example ?? EMPTY));
  const [json, setJson] = useState(() => (startsAsJson && read !== undefined ? jsonOf(read.example) : undefined));
  const [theirs, setTheirs] = useState<Read>();
  const [began] = useState(() => canonical(draft));
  const [isLeaving, setLeaving] = useState(false);
  const result: DraftResult = useMemo(
    () => (json === undefined ? contentOf(draft) : contentOfJson(json)),
    [draft, json],
  );
  const isDirty =
    base === undefined
      ? json !== undefined || canonical(draft) !== began
      : !result.isFine || changeBetween(base.example, result.content) !== undefined;
  const save = useSaving(projectId, datasetId, () => {
    if (base === undefined) return;
    const again = { ...exampleQuery(projectId, datasetId, base.example.id), staleTime: 0 };
    void client.fetchQuery(again).then(setTheirs);
  });
  const start = (over: Read | undefined, goesOn: boolean) => {
    if (!result.isFine || save.isPending) return;
    setTheirs(undefined);
    save.mutate(
      { over, content: result.content },
      {
        onSuccess: (saved) => {
          setBase(saved);
          setDraft(draftOf(saved.example));
          setJson((before) => (before === undefined ? undefined : jsonOf(saved.example)));
          setLeaving(true);
          onSaved(saved.example, goesOn);
          setTimeout(() => setLeaving(false));
        },
      },
    );
  };
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && !isLeaving && current.pathname !== next.pathname,
    enableBeforeUnload: () => isDirty && !isLeaving,
    withResolver: true,
  });
  return {
    draft,
    change: (part: Partial<ExampleDraft>) => setDraft((before) => ({ ...before, ...part })),
    json,
    setJson,
    /** Turns between form and JSON; false where the JSON cannot be shown as a form. */
    showJson: (isJson: boolean) => {
      if (!result.isFine) return false;
      if (isJson) setJson(jsonOf(result.content));
      else {
        setDraft(draftOf(result.content));
        setJson(undefined);
      }
      return true;
    },
    problems: problemsOf(result, save.error),
    isFine: result.isFine,
    isDirty,
    isPending: save.isPending,
    error: save.error,
    base,
    save: (goesOn: boolean) => start(base, goesOn),
    conflict: save.error instanceof PreconditionFailedError ? theirs : undefined,
    saveOver: () => start(theirs, false),
    takeTheirs: () => {
      if (theirs === undefined) return;
      setBase(theirs);
      setDraft(draftOf(theirs.example));
      setJson(undefined);
      setTheirs(undefined);
      save.reset();
    },
    blocker,
  };
}

/** Sends an Example, whole where it is new, else what has changed. */
function useSaving(projectId: string, datasetId: string, onConflict: () => void) {
  return useChange(
    async ({ over, content }: { over: Read | undefined; content: Comparable }) => {
      const { payload, tags, source } = content;
      if (over === undefined) {
        const body = { payload, tags, source: source as Api.ExampleSource };
        const made = await clew.examples.create(datasetId, body, { project: projectId }).withResponse();
        return { example: made.data, etag: made.etag };
      }
      const change = changeBetween(over.example, content);
      if (change === undefined) return over;
      const options = { project: projectId, ifMatch: over.etag };
      const saved = await clew.examples.update(datasetId, over.example.id, change, options).withResponse();
      return { example: saved.data, etag: saved.etag };
    },
    {
      invalidates: ['one', 'count', 'versions', 'examples', 'example'].map((kind) => [
        ...datasetsKey(projectId),
        kind,
        datasetId,
      ]),
      onError: (error) => {
        if (error instanceof PreconditionFailedError) onConflict();
      },
    },
  );
}

export type ExampleForm = ReturnType<typeof useExampleForm>;

/** Problems by field: those of the draft, else those for which the API refused it. */
function problemsOf(result: DraftResult, error: Error | null): ReadonlyMap<string, string> {
  if (!result.isFine) return result.problems;
  return new Map([...fieldErrors(error)].map(([path, message]) => [path.replace(/^payload\./, ''), message]));
}

const EMPTY: Comparable = {
  payload: { input: { type: 'text', text: '' } },
  tags: [],
  source: { kind: 'manual', externalRef: 'workbench' },
};
