import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Api } from '@clew/sdk';
import { clew } from '../api/client.ts';
import { meQuery } from '../api/queries.ts';
import { notify, notifyError } from '../ui/notices.tsx';
import { patchItems } from './item-cache.ts';
import { knowledgeKey } from './queries.ts';
import { changedItem, summaryOf, withDecision, type Decision, type Decisions } from './queue.ts';
import { doneOf, itemsOf, refusalText, sendDeed, undoLast, type Deed, type Done } from './review-requests.ts';

type Item = Api.KnowledgeItem;

export interface Review {
  readonly decisions: Decisions;
  /** Changes items; what is shown changes at once, and back where the API refuses. */
  readonly change: (deed: Deed) => void;
  readonly skip: (itemId: string) => void;
  /** Takes an item that was saved by other means. */
  readonly saved: (item: Item) => void;
  readonly undo: () => void;
}

/** State that the requests of a review share. */
interface Ledger {
  /** Revisions that are newer than those of the list. */
  readonly revisions: Map<string, number>;
  /** Deeds that can be undone, the last one at the end. */
  readonly done: Done[];
  readonly decide: (itemIds: readonly string[], decision: Decision | undefined) => void;
  readonly show: (items: readonly Item[]) => void;
  readonly refresh: () => void;
}

/** Decisions of a review, with undo. Requests go one after the other, so that each names the revision of the last one. */
export function useReview(projectId: string, onUndone: (itemId: string) => void): Review {
  const client = useQueryClient();
  const [decisions, setDecisions] = useState<Decisions>(new Map());
  const revisions = useRef(new Map<string, number>());
  const done = useRef<Done[]>([]);
  const ledger: Ledger = {
    revisions: revisions.current,
    done: done.current,
    decide: (itemIds, decision) => setDecisions((before) => withDecision(before, itemIds, decision)),
    show: (items) => patchItems(client, projectId, items),
    refresh: () => {
      for (const kind of ['count', 'goals']) {
        void client.invalidateQueries({ queryKey: [...knowledgeKey(projectId), kind] });
      }
    },
  };
  const change = useDeed(projectId, ledger);
  const undo = useUndo(projectId, ledger, onUndone);
  return {
    decisions,
    change: (deed) => {
      if (deed.parts.length > 0) change.mutate(deed);
    },
    skip: (itemId) => {
      ledger.done.push({ itemIds: [itemId], revisions: new Map() });
      ledger.decide([itemId], 'skipped');
    },
    saved: (item) => {
      ledger.revisions.set(item.id, item.revision);
      ledger.done.push({ itemIds: [item.id], revisions: new Map([[item.id, item.revision]]) });
      ledger.show([item]);
      ledger.decide([item.id], 'edited');
      ledger.refresh();
    },
    undo: () => undo.mutate(),
  };
}

function scopeOf(projectId: string): { id: string } {
  return { id: `knowledge ${projectId}` };
}

function useDeed(projectId: string, { revisions, done, decide, show, refresh }: Ledger) {
  const { data: me } = useQuery(meQuery);
  const takeBack = (items: readonly Item[]) => {
    const ids = items.map(({ id }) => id);
    show(items);
    decide(ids, undefined);
  };
  const readAgain = async (itemId: string) => {
    const item = await clew.knowledge.items.get(itemId, { project: projectId });
    revisions.set(itemId, item.revision);
    show([item]);
  };
  return useMutation({
    scope: scopeOf(projectId),
    mutationFn: (deed: Deed) => sendDeed(projectId, deed, revisions),
    onMutate: ({ decision, parts }: Deed) => {
      const by = me?.id ?? '';
      for (const { items, change } of parts) {
        show(items.map((item) => changedItem(item, change, by, Date.now())));
        decide(
          items.map(({ id }) => id),
          decision,
        );
      }
    },
    onSuccess: (outcomes, deed) => {
      const items = itemsOf(deed);
      const refused = new Map(outcomes.flatMap((each) => (each.outcome === 'refused' ? [[each.itemId, each]] : [])));
      const taken = doneOf(outcomes);
      for (const [itemId, revision] of taken.revisions) revisions.set(itemId, revision);
      if (taken.itemIds.length > 0) done.push(taken);
      takeBack(items.filter(({ id }) => refused.has(id)));
      for (const itemId of refused.keys()) readAgain(itemId).catch(notifyError);
      const [only] = items;
      const refusal = only === undefined ? undefined : refused.get(only.id);
      if (items.length > 1) notify(summaryOf(outcomes, deed.decision), { isProblem: refused.size > 0 });
      else if (only !== undefined && refusal !== undefined) notify(refusalText(refusal, only), { isProblem: true });
    },
    onError: (error, deed) => {
      takeBack(itemsOf(deed));
      notifyError(error);
    },
    onSettled: refresh,
  });
}

function useUndo(projectId: string, ledger: Ledger, onUndone: (itemId: string) => void) {
  const { revisions, done, decide, show, refresh } = ledger;
  return useMutation({
    scope: scopeOf(projectId),
    mutationFn: () => undoLast(projectId, done.pop()),
    onSuccess: ({ last, restored, refused }) => {
      if (last === undefined) {
        notify('There is nothing to undo');
        return;
      }
      for (const item of restored) revisions.set(item.id, item.revision);
      show(restored);
      decide(last.itemIds, undefined);
      const [first] = last.itemIds;
      if (first !== undefined) onUndone(first);
      if (refused > 0) notify(`${refused} were changed by others since, and stay`, { isProblem: true });
      else notify('Undone');
    },
    onError: notifyError,
    onSettled: refresh,
  });
}
