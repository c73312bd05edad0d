import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { meQuery } from '../api/queries.ts';
import { may } from '../api/rights.ts';
import type { NewRows } from '../ui/use-new-rows.ts';
import { useCommands } from '../commands/use-commands.ts';
import { count, countAtLeast } from '../text/format.ts';
import { visibleText } from '../text/visible-text.ts';
import { Button } from '../ui/button.tsx';
import { Grid, type GridColumn } from '../ui/grid.tsx';
import { useListPlace } from '../ui/list-place.ts';
import { Progress } from '../ui/progress.tsx';
import type { ListState } from '../ui/selection.ts';
import { FirstUse, Loaded } from '../ui/states.tsx';
import { ItemActions } from './item-actions.tsx';
import { itemColumns } from './item-column.tsx';
import type { Draft } from './item-editor.tsx';
import { ItemPanel } from './item-panel.tsx';
import type { KnowledgeSearch } from './knowledge-search.ts';
import { itemQuery, messagesAroundQuery } from './queries.ts';
import { nextOpen, queueProgress, type QueueProgress } from './queue.ts';
import { useReview } from './use-review.tsx';

const route = getRouteApi('/p/$projectId/knowledge');

interface QueueProps {
  readonly projectId: string;
  readonly search: KnowledgeSearch;
  readonly items: readonly Api.KnowledgeItem[];
  readonly readAtMs: number;
  readonly total: number | undefined;
  readonly isTotalAtLeast: boolean;
  readonly isMoreComing: boolean;
  readonly onNearEnd: () => void;
  readonly newRows: NewRows | undefined;
}

const ROW_HEIGHT = 50;
/** Time after which the address follows the cursor. */
const SETTLED_MS = 200;

/** Queue of items, with the one under the cursor beside it. */
export function ReviewQueue(props: QueueProps): ReactNode {
  const { projectId, search, items, readAtMs, total } = props;
  const { data: me } = useQuery(meQuery);
  const mayWrite = me !== undefined && may(me, projectId, 'project:update');
  const ids = useMemo(() => items.map(({ id }) => id), [items]);
  const place = useQueuePlace(projectId, search, ids);
  const { state, setState } = place;
  const panel = useRef<HTMLElement>(null);
  const review = useReview(projectId, (itemId) => setState({ ...state, cursor: itemId }));
  const [drafts, setDrafts] = useState<ReadonlyMap<string, Draft>>(new Map());
  const [isEditing, setEditing] = useState(false);
  const row = items.find(({ id }) => id === state.cursor);
  usePrefetch(projectId, items, state.cursor);
  const chosen =
    state.selected.size > 0 ? items.filter(({ id }) => state.selected.has(id)) : row === undefined ? [] : [row];
  const goOn = (goneIds: readonly string[]) => {
    const decisions = new Map([...review.decisions, ...goneIds.map((id) => [id, 'accepted'] as const)]);
    setEditing(false);
    setState({ cursor: nextOpen(ids, state.cursor, decisions), selected: new Set() });
  };
  const progress = queueProgress(ids, state.cursor, total, review.decisions);
  useCommands({
    'page.up': state.selected.size > 0 ? () => setState({ ...state, selected: new Set() }) : undefined,
  });
  const columns = useMemo(() => itemColumns(review.decisions), [review.decisions]);
  return (
    <div className="flex min-h-0 flex-1 max-lg:flex-col">
      <Queue
        {...props}
        {...{ state, setState, progress }}
        columns={columns}
        offset={place.offset}
        setOffset={place.setOffset}
        onOpen={() => panel.current?.focus()}
      />
      <section
        ref={panel}
        tabIndex={-1}
        aria-label="Item"
        className="flex min-h-0 min-w-0 flex-1 flex-col -outline-offset-2"
      >
        {mayWrite ? (
          <ItemActions
            {...{ review, chosen, goOn }}
            isMany={state.selected.size > 0}
            onEdit={() => setEditing(true)}
            isEditing={isEditing}
          />
        ) : (
          <p className="border-b border-line px-4 py-2 text-xs text-muted">
            You may read Knowledge. Reviewing it begins with the role editor.
          </p>
        )}
        {state.cursor === null ? (
          <FirstUse title="No item is open">Choose one from the queue.</FirstUse>
        ) : (
          <OpenItem
            key={state.cursor}
            {...{ projectId, row, readAtMs, review }}
            itemId={state.cursor}
            isEditing={isEditing && mayWrite}
            draft={drafts.get(state.cursor)}
            onDraft={(draft) => setDrafts((all) => withDraft(all, state.cursor ?? '', draft))}
            onEdited={(isSaved) => {
              setEditing(false);
              // The form goes, and takes the focus with it.
              panel.current?.focus();
              if (isSaved && state.cursor !== null) goOn([state.cursor]);
            }}
          />
        )}
      </section>
    </div>
  );
}

interface QueueListProps extends QueueProps {
  readonly state: ListState;
  readonly setState: (state: ListState) => void;
  readonly progress: QueueProgress;
  readonly columns: GridColumn<Api.KnowledgeItem>[];
  readonly offset: number;
  readonly setOffset: (offset: number) => void;
  readonly onOpen: () => void;
}

/** List of the queue, with how far it is. */
function Queue(props: QueueListProps): ReactNode {
  const { items, total, isTotalAtLeast, isMoreComing, onNearEnd, newRows } = props;
  const { state, setState, progress, columns, offset, setOffset, onOpen } = props;
  return (
    <section
      aria-label="Queue"
      className="flex min-h-56 w-96 shrink-0 flex-col border-r border-line max-lg:h-2/5 max-lg:w-full max-lg:border-b"
    >
      <div className="flex flex-col gap-1.5 px-4 pt-2 pb-2 text-xs text-muted tabular-nums">
        <div className="flex h-5 items-center gap-2">
          <span aria-live="polite">
            {state.selected.size > 0
              ? `${count(state.selected.size)} selected`
              : `${count(progress.position)} of ${countAtLeast(progress.total, isTotalAtLeast)}`}
          </span>
          <span className="ml-auto">{count(progress.decided)} decided</span>
          {state.selected.size > 0 ? (
            <Button look="quiet" className="h-5" onPress={() => setState({ ...state, selected: new Set() })}>
              Clear
            </Button>
          ) : null}
        </div>
        <Progress label="Decided" share={progress.share} />
      </div>
      <Grid
        label="Knowledge items"
        rows={items}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ title }) => visibleText(title)}
        state={state}
        onState={setState}
        onOpen={onOpen}
        total={isTotalAtLeast ? undefined : total}
        isSelectable
        rowHeight={ROW_HEIGHT}
        initialOffset={offset}
        onOffset={setOffset}
        {...{ isMoreComing, onNearEnd, newRows }}
      />
    </section>
  );
}

function withDraft(drafts: ReadonlyMap<string, Draft>, itemId: string, draft: Draft | undefined) {
  const next = new Map(drafts);
  if (draft === undefined) next.delete(itemId);
  else next.set(itemId, draft);
  return next;
}

interface OpenItemProps extends Omit<Parameters<typeof ItemPanel>[0], 'item'> {
  readonly itemId: string;
  readonly row: Api.KnowledgeItem | undefined;
  readonly readAtMs: number;
}

/** Item as it is now; until that is read, as the list has it. */
function OpenItem({ itemId, row, readAtMs, ...props }: OpenItemProps): ReactNode {
  const item = useQuery({
    ...itemQuery(props.projectId, itemId),
    initialData: row,
    initialDataUpdatedAt: row === undefined ? undefined : readAtMs,
  });
  return (
    <Loaded query={item} label="The item is being read">
      {(data) => <ItemPanel {...props} item={data} />}
    </Loaded>
  );
}

/** Cursor and selection. The address follows the cursor once it rests, so that a key press does not wait for it. */
function useQueuePlace(projectId: string, search: KnowledgeSearch, ids: readonly string[]) {
  const navigate = route.useNavigate();
  const { item, ...filters } = search;
  const place = useListPlace(`knowledge ${projectId} ${JSON.stringify(filters)}`, ids);
  const [isOpened, setOpened] = useState(false);
  const given = isOpened ? undefined : item;
  const cursor = given ?? place.state.cursor ?? ids[0] ?? null;
  const state: ListState = { ...place.state, cursor };
  const setState = (next: ListState) => {
    setOpened(true);
    place.setState(next);
  };
  useEffect(() => {
    if (cursor === null || cursor === item) return;
    const timer = setTimeout(() => {
      void navigate({ to: '.', search: (before) => ({ ...before, item: cursor }), replace: true });
    }, SETTLED_MS);
    return () => clearTimeout(timer);
  }, [cursor, item, navigate]);
  return { ...place, state, setState };
}

/** Reads what the items beside the cursor need, so that the next turn waits for nothing. */
function usePrefetch(projectId: string, items: readonly Api.KnowledgeItem[], cursor: string | null): void {
  const client = useQueryClient();
  useEffect(() => {
    const at = items.findIndex(({ id }) => id === cursor);
    const timer = setTimeout(() => {
      for (const item of items.slice(at + 1, at + 3)) prefetch(item);
    }, 50);
    function prefetch({ evidence, supersedes }: Api.KnowledgeItem): void {
      for (const { conversationId, messageIndex } of evidence.slice(0, 3)) {
        void client.prefetchQuery(messagesAroundQuery(projectId, conversationId, messageIndex));
      }
      if (supersedes !== null) void client.prefetchQuery(itemQuery(projectId, supersedes));
    }
    return () => clearTimeout(timer);
  }, [client, projectId, items, cursor]);
}
