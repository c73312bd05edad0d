import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiError, type Api } from '@clew/sdk';
import { clew } from '../api/client.ts';
import { useChange } from '../ui/use-change.ts';
import { preparationOf, type Preparation, type StepId } from '../runtime/preparation.ts';
import { modelsKey, runtimeQuery } from '../runtime/queries.ts';
import { isKept, setWanted } from '../runtime/wanted.ts';

export interface PreparationActs {
  /** Undefined while the node cannot be asked. */
  readonly preparation: Preparation | undefined;
  /** Whether the rest follows by itself. */
  readonly isWanted: boolean;
  readonly isPending: boolean;
  /** Error of the last request, which the node did not take. */
  readonly error: Error | null;
  readonly begin: () => void;
  readonly giveUp: () => void;
}

/**
 * Makes a profile ready by one press: what is missing is asked for, and what needs that follows. The node does the work
 * and knows how far it is; that somebody wants it is kept at this browser, so that a page that is read again goes on.
 */
export function usePreparation(projectId: string, profile: Api.ModelProfile): PreparationActs {
  const runtime = useQuery(runtimeQuery(projectId));
  const key = { projectId, modelId: profile.modelId, profileId: profile.id };
  const [isWanted, setOn] = useState(() => isKept(key));
  const [answeredAtMs, setAnsweredAtMs] = useState(0);
  const want = (isOn: boolean) => {
    setWanted(key, isOn);
    setOn(isOn);
  };
  const preparation = runtime.data === undefined ? undefined : preparationOf(profile, runtime.data);
  const ask = useChange((steps: readonly StepId[]) => askFor(projectId, profile, steps), {
    invalidates: [
      [...modelsKey(projectId), 'runtime'],
      [...modelsKey(projectId), 'one'],
    ],
    onDone: () => setAnsweredAtMs(Date.now()),
    onError: (error) => {
      setOn(false);
      // A request that was cut, as by a page that is read again, says nothing against the wish.
      if (error instanceof ApiError) setWanted(key, false);
    },
  });
  const { mutate, isPending } = ask;
  // A state that was read before the node took the last request does not show it.
  const isKnown = runtime.dataUpdatedAt > answeredAtMs;
  const isReady = preparation?.isReady === true;
  const hasFailed = preparation?.failed !== undefined;
  const nextSteps = preparation?.next.join(' ') ?? '';
  useEffect(() => {
    if (!isWanted || isPending || !isKnown) return;
    if (isReady || hasFailed) {
      setWanted({ projectId, modelId: profile.modelId, profileId: profile.id }, false);
      setOn(false);
    } else if (nextSteps !== '') mutate(nextSteps.split(' ') as StepId[]);
  }, [isWanted, isPending, isKnown, isReady, hasFailed, nextSteps, mutate, projectId, profile]);
  return {
    preparation,
    isWanted,
    isPending,
    error: ask.error,
    begin: () => {
      if (preparation === undefined || isPending) return;
      // Kept before the node has answered: the page may be read again meanwhile.
      want(true);
      mutate(preparation.next);
    },
    giveUp: () => want(false),
  };
}

async function askFor(projectId: string, { modelId, id, engine }: Api.ModelProfile, steps: readonly StepId[]) {
  const call = { project: projectId };
  const acts: Record<StepId, () => PromiseLike<unknown>> = {
    engine: () => clew.models.engines.install(engine, {}, call),
    download: () => clew.models.downloads.start(modelId, id, {}, call),
    service: () => clew.models.services.start(modelId, id, {}, call),
  };
  for (const step of steps) await acts[step]();
}
