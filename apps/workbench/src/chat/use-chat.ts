import { useEffect, useRef, useState } from 'react';
import type { Api } from '@clew/sdk';
import { clew } from '../api/client.ts';
import { messageOf } from '../ui/problem.ts';
import {
  messagesFor,
  newAnswer,
  parametersOf,
  pieceOf,
  withPiece,
  type Answer,
  type ChatFields,
  type ChatMessage,
  type Turn,
} from './chat.ts';

export interface Chat {
  readonly turns: readonly Turn[];
  readonly isBusy: boolean;
  readonly send: (said: string, fields: ChatFields, services: readonly Api.ModelService[]) => void;
  readonly stop: () => void;
  readonly clear: () => void;
}

/** Conversation with one model or two, which lives as long as the page. */
export function useChat(projectId: string): Chat {
  const [turns, setTurns] = useState<readonly Turn[]>([]);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const patch = (turnId: number, model: string, next: (answer: Answer) => Answer) =>
    setTurns((all) =>
      all.map((turn) => {
        const answer = turn.answers[model];
        if (turn.id !== turnId || answer === undefined) return turn;
        return { ...turn, answers: { ...turn.answers, [model]: next(answer) } };
      }),
    );
  const ask = async (turnId: number, service: Api.ModelService, messages: ChatMessage[], fields: ChatFields) => {
    const { model } = service;
    const signal = running.current?.signal;
    try {
      for await (const text of answerOf(projectId, service, messages, fields, signal)) {
        patch(turnId, model, (answer) => withPiece(answer, text, Date.now()));
      }
      patch(turnId, model, (answer) => ({ ...answer, state: 'done', endedAtMs: Date.now() }));
    } catch (error) {
      const isStopped = signal?.aborted === true;
      const text = isStopped ? undefined : error instanceof Error ? messageOf(error) : String(error);
      const state = isStopped ? 'stopped' : 'failed';
      patch(turnId, model, (answer) => ({ ...answer, state, error: text, endedAtMs: Date.now() }));
    }
  };
  return {
    turns,
    isBusy: turns.some(({ answers }) => Object.values(answers).some(({ state }) => state === 'streaming')),
    send: (said, fields, services) => {
      running.current?.abort();
      running.current = new AbortController();
      const turn: Turn = {
        id: (turns.at(-1)?.id ?? 0) + 1,
        said,
        answers: Object.fromEntries(services.map(({ model }) => [model, newAnswer(Date.now())])),
      };
      const all = [...turns, turn];
      setTurns(all);
      for (const service of services) {
        void ask(turn.id, service, messagesFor(fields.system, all, service.model), fields);
      }
    },
    stop: () => running.current?.abort(),
    clear: () => {
      running.current?.abort();
      setTurns([]);
    },
  };
}

async function* answerOf(
  projectId: string,
  { modelId, profileId, model }: Api.ModelService,
  messages: ChatMessage[],
  fields: ChatFields,
  signal: AbortSignal | undefined,
) {
  const body = { model, messages, ...parametersOf(fields), stream_options: { include_usage: true } };
  const trial = { path: '/v1/chat/completions', contentType: 'application/json', body } as const;
  for await (const chunk of clew.models.trial(modelId, profileId, trial, { project: projectId, signal })) {
    yield pieceOf(chunk);
  }
}
