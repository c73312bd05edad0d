import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { PreconditionFailedError, type Api } from '@clew/sdk';
import { clew } from '../api/client.ts';
import { useChange } from '../ui/use-change.ts';
import {
  changeOf,
  changesOfOthers,
  draftOf,
  draftProblems,
  type CollectionDraft,
} from '../collection/collection-draft.ts';
import { ObjectiveCards } from '../collection/objective-cards.tsx';
import { CollectionPreview } from '../collection/preview-view.tsx';
import { OBJECTIVES } from '../collection/words.ts';
import { datasetQuery, datasetsKey } from '../examples/queries.ts';
import { HostileText } from '../text/hostile-text.tsx';
import { Button } from '../ui/button.tsx';
import { ClashNote } from '../ui/clash-note.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { fieldErrors } from '../ui/field-errors.ts';
import { notify } from '../ui/notices.tsx';
import { CollectNow } from './collect-now.tsx';
import { ObjectiveFields } from './objective-fields.tsx';
import type { TabProps } from './tab-props.ts';
import { Decisions } from './decisions.tsx';

/** Collection: what a Dataset takes by itself, what it would take, and what it took. */
export default function CollectionTab(props: TabProps): ReactNode {
  const { projectId, dataset, mayWrite } = props;
  const { collectionPolicy, blockedReason } = dataset;
  const [isPreviewed, setPreviewed] = useState(false);
  return (
    <div className="mx-auto flex w-full max-w-5xl flex-col gap-6 px-4 py-4">
      {blockedReason === null ? null : (
        <div role="status" className="rounded-md bg-high-soft px-3 py-2 text-high">
          <p className="font-medium">It cannot collect at the moment</p>
          <p>
            <HostileText text={blockedReason} />. Another model below mends it, or the model being made available.
          </p>
        </div>
      )}
      {mayWrite ? (
        <SettingsForm key={dataset.id} {...props} />
      ) : (
        <p>
          {collectionPolicy === null
            ? 'It collects nothing by itself.'
            : `${OBJECTIVES[collectionPolicy.objective].title}. ${OBJECTIVES[collectionPolicy.objective].text}`}
        </p>
      )}
      {collectionPolicy === null || !mayWrite ? null : (
        <section aria-labelledby="preview-title" className="flex flex-col gap-2 border-t border-line pt-4">
          <h2 id="preview-title" className="text-base font-semibold">
            What it would take
          </h2>
          {isPreviewed ? (
            <CollectionPreview projectId={projectId} datasetId={dataset.id} revision={collectionPolicy.revision} />
          ) : (
            <div className="flex flex-wrap items-center gap-3">
              <Button onPress={() => setPreviewed(true)}>
                Look at the last 100{' '}
                {OBJECTIVES[collectionPolicy.objective].from === 'items' ? 'Knowledge items' : 'conversations'}
              </Button>
              <span className="text-muted">Nothing is stored, and no model is asked.</span>
            </div>
          )}
          {OBJECTIVES[collectionPolicy.objective].from === 'conversations' ? <CollectNow {...props} /> : null}
        </section>
      )}
      <Decisions {...props} />
    </div>
  );
}

function SettingsForm({ projectId, dataset, etag }: TabProps): ReactNode {
  const client = useQueryClient();
  // State with which the draft began; the page may know of later changes by others.
  const [base, setBase] = useState({ dataset, etag });
  const [draft, setDraft] = useState(() => draftOf(dataset));
  const [theirs, setTheirs] = useState<{ dataset: Api.Dataset; etag: string | undefined }>();
  const change = (part: Partial<CollectionDraft>) => setDraft((before) => ({ ...before, ...part }));
  const body = changeOf(draft, base.dataset);
  const problems = draftProblems(draft);
  const begin = (next: { dataset: Api.Dataset; etag: string | undefined }) => {
    setBase(next);
    setDraft(draftOf(next.dataset));
    setTheirs(undefined);
  };
  const save = useChange(
    async ({ over, ifMatch }: { over: Api.Dataset; ifMatch: string | undefined }) => {
      const next = changeOf(draft, over);
      if (next === undefined) return { dataset: over, etag: ifMatch };
      const { data, etag: tag } = await sendUnlessChanged(projectId, over, ifMatch, next);
      return { dataset: data, etag: tag };
    },
    {
      invalidates: [datasetsKey(projectId)],
      onDone: (next) => {
        begin(next);
        notify('The collection is saved');
      },
      onError: (error) => {
        if (!(error instanceof PreconditionFailedError)) return;
        void client.fetchQuery({ ...datasetQuery(projectId, dataset.id), staleTime: 0 }).then(setTheirs);
      },
    },
  );
  const errors = fieldErrors(save.error);
  const isConflict = save.error instanceof PreconditionFailedError;
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (body !== undefined && problems.size === 0) save.mutate({ over: base.dataset, ifMatch: base.etag });
      }}
    >
      <ObjectiveCards
        label="What it collects by itself"
        chosen={draft.objective}
        onChoose={(objective) => change({ objective, ...(draft.objective === undefined ? { isEnabled: true } : {}) })}
      />
      {draft.objective === undefined ? null : (
        <ObjectiveFields {...{ projectId, draft, change, errors, problems }} objective={draft.objective} />
      )}
      {theirs === undefined || !isConflict ? null : (
        <CollectionClash
          lines={changesOfOthers(base.dataset, theirs.dataset)}
          onMine={() => save.mutate({ over: theirs.dataset, ifMatch: theirs.etag })}
          onTheirs={() => {
            save.reset();
            begin(theirs);
          }}
        />
      )}
      {isConflict || errors.size > 0 ? null : <ErrorNote error={save.error} />}
      <div className="flex items-center gap-2">
        <Button type="submit" look="main" isDisabled={body === undefined || problems.size > 0 || save.isPending}>
          Save
        </Button>
        {body === undefined ? null : (
          <Button look="quiet" onPress={() => setDraft(draftOf(base.dataset))}>
            Take the changes back
          </Button>
        )}
        {draft.objective === undefined || base.dataset.collectionPolicy === null ? null : (
          <Button look="quiet" className="ml-auto" onPress={() => change({ objective: undefined, isEnabled: false })}>
            Collect nothing any more
          </Button>
        )}
      </div>
    </form>
  );
}

/** Sends a change, once more where the Dataset has changed meanwhile in nothing that the form shows. */
async function sendUnlessChanged(
  projectId: string,
  before: Api.Dataset,
  ifMatch: string | undefined,
  body: Api.UpdateDatasetData['body'],
) {
  const send = (tag: string | undefined) =>
    clew.datasets.update(before.id, body, { project: projectId, ifMatch: tag }).withResponse();
  try {
    return await send(ifMatch);
  } catch (error) {
    if (!(error instanceof PreconditionFailedError)) throw error;
    const now = await clew.datasets.get(before.id, { project: projectId }).withResponse();
    if (changesOfOthers(before, now.data).length > 0) throw error;
    return await send(now.etag);
  }
}

interface ClashProps {
  readonly lines: readonly string[];
  readonly onMine: () => void;
  readonly onTheirs: () => void;
}

function CollectionClash({ lines, onMine, onTheirs }: ClashProps): ReactNode {
  return (
    <ClashNote thing="the collection" {...{ onMine, onTheirs }}>
      <ul className="list-disc pl-5">
        {lines.map((line) => (
          <li key={line}>
            <HostileText text={line} />
          </li>
        ))}
      </ul>
    </ClashNote>
  );
}
