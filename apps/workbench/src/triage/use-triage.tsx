import { useMutation, useQueryClient, type InfiniteData, type QueryClient } from '@tanstack/react-query';
import { useRef, type ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { clew } from '../api/client.ts';
import { findingsKey } from '../api/queries.ts';
import { useCommands } from '../commands/use-commands.ts';
import { notify, notifyError } from '../ui/notices.tsx';
import { changed, inverseOf, summaryOf, type FindingChange, type Outcome, type Step } from './changes.ts';
import { Refusals } from './refusals.tsx';

type Finding = Api.Finding;
type CachedList = InfiniteData<{ data: Finding[]; nextCursor: string | null }>;

const MAX_AT_ONCE = 100;

export interface Triage {
  /** Changes Findings in one way; what is shown changes at once, and back where the API refuses. */
  readonly change: (findings: readonly Finding[], change: FindingChange) => void;
  readonly isPending: boolean;
}

/** Changes of Findings, with undo. `onDone` hears which Findings were changed. */
export function useTriage(projectId: string, onDone?: (changedIds: ReadonlySet<string>) => void): Triage {
  const client = useQueryClient();
  const lastUndo = useRef<readonly Step[] | undefined>(undefined);
  const mutation = useMutation({
    mutationFn: ({ findings, change }: Deed) => send(projectId, [{ findingIds: findings.map(({ id }) => id), change }]),
    onMutate: ({ findings, change }) => {
      const ids = new Set(findings.map(({ id }) => id));
      patchFindings(client, projectId, ids, (finding) => changed(finding, change, Date.now()));
    },
    onSuccess: (outcomes, { findings, change }) => {
      const refused = outcomes.filter(({ outcome }) => outcome === 'refused');
      putBack(client, projectId, findings, refused);
      const updated = new Set(
        outcomes.filter(({ outcome }) => outcome === 'updated').map(({ findingId }) => findingId),
      );
      lastUndo.current = inverseOf(
        findings.filter(({ id }) => updated.has(id)),
        change,
      );
      onDone?.(updated);
      tell(outcomes, change, findings, projectId, lastUndo.current !== undefined && updated.size > 0);
    },
    onError: (error, { findings }) => {
      putBackAll(client, projectId, findings);
      notifyError(error);
    },
    onSettled: () => refresh(client, projectId),
  });
  const undo = useMutation({
    mutationFn: (steps: readonly Step[]) => send(projectId, steps),
    onSuccess: (outcomes) => {
      const refused = outcomes.filter(({ outcome }) => outcome === 'refused').length;
      notify(refused === 0 ? 'Undone' : `Undone, but ${refused} were refused`, { isProblem: refused > 0 });
      void client.invalidateQueries({ queryKey: findingsKey(projectId) });
    },
    onError: notifyError,
  });
  useCommands({
    'action.undo': () => {
      const steps = lastUndo.current;
      if (steps === undefined) return notify('There is nothing to undo');
      lastUndo.current = undefined;
      undo.mutate(steps);
    },
  });
  return { change: (findings, change) => mutation.mutate({ findings, change }), isPending: mutation.isPending };
}

interface Deed {
  readonly findings: readonly Finding[];
  readonly change: FindingChange;
}

async function send(projectId: string, steps: readonly Step[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const { findingIds, change } of steps) {
    for (let from = 0; from < findingIds.length; from += MAX_AT_ONCE) {
      const ids = findingIds.slice(from, from + MAX_AT_ONCE);
      const { results } = await clew.findings.updateMany({ findingIds: ids, change }, { project: projectId });
      outcomes.push(...results);
    }
  }
  return outcomes;
}

function patchFindings(
  client: QueryClient,
  projectId: string,
  ids: ReadonlySet<string>,
  patch: (finding: Finding) => Finding,
): void {
  const patched = (finding: Finding) => (ids.has(finding.id) ? patch(finding) : finding);
  client.setQueriesData<CachedList>({ queryKey: [...findingsKey(projectId), 'list'] }, (list) =>
    list === undefined
      ? list
      : { ...list, pages: list.pages.map((page) => ({ ...page, data: page.data.map(patched) })) },
  );
  client.setQueriesData<Finding>({ queryKey: [...findingsKey(projectId), 'one'] }, (one) =>
    one === undefined ? one : patched(one),
  );
}

function putBack(
  client: QueryClient,
  projectId: string,
  before: readonly Finding[],
  refused: readonly Outcome[],
): void {
  const ids = new Set(refused.map(({ findingId }) => findingId));
  putBackAll(
    client,
    projectId,
    before.filter(({ id }) => ids.has(id)),
  );
}

function putBackAll(client: QueryClient, projectId: string, before: readonly Finding[]): void {
  const earlier = new Map(before.map((finding) => [finding.id, finding]));
  patchFindings(client, projectId, new Set(earlier.keys()), (finding) => earlier.get(finding.id) ?? finding);
}

/** Reads counts and open Findings again; lists stay as they are, so that no row moves. */
async function refresh(client: QueryClient, projectId: string): Promise<void> {
  const kinds = ['count', 'one', 'activity'];
  await Promise.all(kinds.map((kind) => client.invalidateQueries({ queryKey: [...findingsKey(projectId), kind] })));
}

function tell(
  outcomes: readonly Outcome[],
  change: FindingChange,
  findings: readonly Finding[],
  projectId: string,
  canUndo: boolean,
): void {
  const refused = outcomes.filter(({ outcome }) => outcome === 'refused');
  const content: ReactNode = (
    <>
      <p>
        {summaryOf(outcomes, change)}
        {canUndo ? (
          <span className="text-muted">
            {' '}
            · <kbd>U</kbd> undoes it
          </span>
        ) : null}
      </p>
      {refused.length === 0 ? null : <Refusals {...{ refused, findings, projectId }} />}
    </>
  );
  notify(content, { isProblem: refused.length > 0 });
}
