import { useMutation, useQueryClient, type QueryKey, type UseMutationResult } from '@tanstack/react-query';
import { notifyError } from './notices.tsx';

interface ChangeOptions<Result> {
  /** Queries that the change makes old. */
  readonly invalidates: readonly QueryKey[];
  readonly onDone?: (result: Result) => void;
  /** Takes the error; without it, a notice shows it. A form shows it at its fields. */
  readonly onError?: (error: Error) => void;
}

/** Change through the API, after which what it made old is read again. */
export function useChange<Input, Result>(
  change: (input: Input) => PromiseLike<Result>,
  { invalidates, onDone, onError = notifyError }: ChangeOptions<Result>,
): UseMutationResult<Result, Error, Input> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (input: Input) => change(input),
    onSuccess: (result) => {
      for (const queryKey of invalidates) void client.invalidateQueries({ queryKey });
      onDone?.(result);
    },
    onError,
  });
}
