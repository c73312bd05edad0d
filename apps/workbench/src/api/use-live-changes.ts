import { useQueryClient, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Api } from '@clew/sdk';
import { clew } from './client.ts';
import { gathered } from './gathered.ts';
import { shareLiveChanges, type LiveMessage, type LiveState } from './live-channel.ts';
import { conversationsKey, findingsKey, meQuery } from './queries.ts';

const HIDDEN_MS = 5 * 60_000;
const AGAIN_MS = 15_000;
/** Time after the page was opened in which all of it has just been read. */
const FRESH_MS = 5_000;
/** Least time between two readings of the same, however much changes. */
const READ_MS = 1_000;

type Change = Api.ListenToChangesItem;

/**
 * Hears what changes in a project, and has that read again which is on the screen. Lists are left as they are: no row
 * moves by itself. One tab of the browser hears for all; it ends once it has been hidden for five minutes.
 */
export function useLiveChanges(projectId: string | undefined): LiveState {
  const client = useQueryClient();
  const [state, setState] = useState<LiveState>('heard');
  useEffect(() => {
    if (projectId === undefined) return;
    const end = new AbortController();
    const openedAt = performance.now();
    const changes = gathered<Change>((heard) => readAgain(projectId, client, heard), READ_MS);
    let isFirst = true;
    void shareLiveChanges<Change>({
      name: `clew.changes.${projectId}`,
      signal: end.signal,
      locks: (navigator as Partial<Navigator>).locks,
      openChannel: (name) => new BroadcastChannel(name),
      listen: (tell, signal) => listen(projectId, tell, signal),
      rest: untilLookedAt,
      onMessage(message) {
        setState(message.kind === 'state' ? message.state : 'heard');
        if (message.kind === 'state') return;
        const isFresh = isFirst && performance.now() - openedAt < FRESH_MS;
        isFirst = false;
        if (message.change.type !== 'ready' || !isFresh) changes.add(message.change);
      },
    });
    return () => {
      end.abort();
      changes.end();
    };
  }, [projectId, client]);
  return state;
}

async function listen(
  projectId: string,
  tell: (message: LiveMessage<Change>) => void,
  signal: AbortSignal,
): Promise<void> {
  const turn = new AbortController();
  const stop = abortWhenHidden(turn);
  try {
    const stream = clew.events.listen({ project: projectId, signal: AbortSignal.any([signal, turn.signal]) });
    for await (const change of stream) tell({ kind: 'change', change });
  } catch {
    if (!signal.aborted && !turn.signal.aborted) tell({ kind: 'state', state: 'cut' });
  } finally {
    stop();
  }
}

function readAgain(projectId: string, client: QueryClient, changes: readonly Change[]): void {
  const keys = new Map(changes.flatMap((change) => keysOf(projectId, change)).map((key) => [JSON.stringify(key), key]));
  for (const queryKey of keys.values()) void client.invalidateQueries({ queryKey });
}

/** Keys of what a change makes old. */
function keysOf(projectId: string, { type, id }: Change): readonly QueryKey[] {
  const keys: Partial<Record<typeof type, QueryKey[]>> = {
    finding: FINDING_KINDS.map((kind) => [...findingsKey(projectId), kind]),
    workItem: [...FINDING_KINDS.map((kind) => [...findingsKey(projectId), kind]), ['work-items', projectId, 'new']],
    conversation: [
      ['conversation', projectId, ...(id === null ? [] : [id])],
      ...['count', 'series', 'new'].map((kind) => [...conversationsKey(projectId), kind]),
    ],
    diagnosis: [['diagnosis', projectId, ...(id === null ? [] : [id])]],
    connector: [['connectors', projectId]],
    knowledgeItem: ['one', 'count', 'goals', 'new'].map((kind) => ['knowledge', projectId, kind]),
    goal: ['goals', 'backfills'].map((kind) => ['knowledge', projectId, kind]),
    rule: [['rule-backfills', projectId]],
    ruleBackfill: [['rule-backfills', projectId]],
    erasure: [['erasures', projectId]],
    knowledgeBackfill: ['backfills', 'goals'].map((kind) => ['knowledge', projectId, kind]),
    knowledgeSettings: [['knowledge', projectId, 'settings']],
    model: ['one', 'runtime', 'availability'].map((kind) => ['models', projectId, kind]),
    modelProvider: ['providers', 'availability'].map((kind) => ['models', projectId, kind]),
    modelSettings: ['settings', 'availability'].map((kind) => ['models', projectId, kind]),
    dataset: DATASET_KINDS.map((kind) => ['datasets', projectId, kind, ...(id === null ? [] : [id])]),
  };
  const { conversation: _conversation, connector: _connector, ...shown } = keys;
  // Somebody whose role has changed is told to read everything, too.
  const all = [meQuery.queryKey, ...Object.values(shown).flat(), [...conversationsKey(projectId), 'new']];
  return type === 'ready' ? all : (keys[type] ?? []);
}

const FINDING_KINDS = ['one', 'count', 'activity', 'occurrences', 'new'];
const DATASET_KINDS = ['one', 'count'];

/** Ends a turn once the tab has been hidden for some minutes. */
function abortWhenHidden(turn: AbortController): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const onChange = () => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(() => turn.abort(), HIDDEN_MS);
  };
  document.addEventListener('visibilitychange', onChange);
  return () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', onChange);
  };
}

/** Waits a while, or for as long as nobody looks at the tab. */
function untilLookedAt(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      if (document.hidden && !signal.aborted) return;
      document.removeEventListener('visibilitychange', done);
      resolve();
    };
    setTimeout(() => {
      document.addEventListener('visibilitychange', done);
      done();
    }, AGAIN_MS);
    signal.addEventListener('abort', done, { once: true });
  });
}
