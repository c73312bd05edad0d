import { useQueryClient, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Api } from '@clew/sdk';
import { clew } from './client.ts';
import { conversationsKey, findingsKey } from './queries.ts';

export type LiveState = 'heard' | 'cut';

const HIDDEN_MS = 5 * 60_000;
const AGAIN_MS = 15_000;

/**
 * Hears what changes in a project, and has that read again which is on the screen. Lists are left as they are: no row
 * moves by itself. A tab that has been hidden for five minutes hears nothing until it is looked at.
 */
export function useLiveChanges(projectId: string | undefined): LiveState {
  const client = useQueryClient();
  const [state, setState] = useState<LiveState>('heard');
  useEffect(() => {
    if (projectId === undefined) return;
    const end = new AbortController();
    void listen(projectId, client, setState, end.signal);
    return () => end.abort();
  }, [projectId, client]);
  return state;
}

async function listen(
  projectId: string,
  client: QueryClient,
  setState: (state: LiveState) => void,
  signal: AbortSignal,
): Promise<void> {
  let isFirst = true;
  while (!signal.aborted) {
    const turn = new AbortController();
    const stop = abortWhenHidden(turn);
    try {
      const stream = clew.events.listen({ project: projectId, signal: AbortSignal.any([signal, turn.signal]) });
      for await (const change of stream) {
        setState('heard');
        // The first event comes with the page itself, which has just been read.
        if (change.type !== 'ready' || !isFirst) readAgain(projectId, client, change);
        isFirst = false;
      }
    } catch {
      if (!signal.aborted && !turn.signal.aborted) setState('cut');
    } finally {
      stop();
    }
    if (!signal.aborted) await untilLookedAt(signal);
  }
}

function readAgain(projectId: string, client: QueryClient, { type, id }: Api.ListenToChangesItem): void {
  const keys: Partial<Record<typeof type, QueryKey[]>> = {
    finding: FINDING_KINDS.map((kind) => [...findingsKey(projectId), kind]),
    workItem: FINDING_KINDS.map((kind) => [...findingsKey(projectId), kind]),
    conversation: [
      ['conversation', projectId, ...(id === null ? [] : [id])],
      [...conversationsKey(projectId), 'count'],
      [...conversationsKey(projectId), 'series'],
    ],
    diagnosis: [['diagnosis', projectId, ...(id === null ? [] : [id])]],
    connector: [['connectors', projectId]],
  };
  const all: QueryKey[] = [...FINDING_KINDS.map((kind) => [...findingsKey(projectId), kind]), ['diagnosis', projectId]];
  for (const queryKey of type === 'ready' ? all : (keys[type] ?? [])) void client.invalidateQueries({ queryKey });
}

const FINDING_KINDS = ['one', 'count', 'activity', 'occurrences'];

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
