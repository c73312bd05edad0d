import { useMutation, useQuery, useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useState } from 'react';
import { PreconditionFailedError } from '@clew/sdk';
import { changedFields, type ChangedField } from './changed-fields.ts';

interface Readable<Thing> {
  withResponse(): Promise<{ data: Thing; etag: string | undefined }>;
}

interface EditOptions<Thing, Input> {
  readonly key: QueryKey;
  readonly read: () => Readable<Thing>;
  readonly change: (input: Input, options: { ifMatch: string | undefined }) => PromiseLike<unknown>;
  readonly invalidates: readonly QueryKey[];
  readonly onDone: () => void;
}

export interface Edit<Thing, Input> {
  /** The thing as it is read for this change. */
  readonly thing: Thing | undefined;
  readonly readError: Error | null;
  readonly save: (input: Input) => void;
  readonly isPending: boolean;
  /** Refusal of the API, but that of a clash. */
  readonly error: Error | null;
  /** Changes that somebody else made since it was read; the next save goes over it. */
  readonly clash: readonly ChangedField[] | undefined;
}

/** Change of a thing that takes effect only if nobody else has changed it meanwhile; what was typed stays. */
export function useEdit<Thing extends object, Input>(options: EditOptions<Thing, Input>): Edit<Thing, Input> {
  const { key, read, change, invalidates, onDone } = options;
  const client = useQueryClient();
  const [clash, setClash] = useState<readonly ChangedField[]>();
  const held = useQuery({
    queryKey: [...key, 'edit'],
    queryFn: async () => {
      const { data, etag } = await read().withResponse();
      return { thing: data, etag };
    },
    staleTime: Infinity,
    gcTime: 0,
  });
  const save = useMutation({
    mutationFn: async (input: Input) => change(input, { ifMatch: held.data?.etag }),
    onSuccess: () => {
      for (const queryKey of invalidates) void client.invalidateQueries({ queryKey });
      onDone();
    },
    onError: async (error) => {
      if (!(error instanceof PreconditionFailedError)) return;
      const before = held.data?.thing ?? {};
      const { data } = await held.refetch();
      setClash(changedFields(before, data?.thing ?? {}));
    },
  });
  const isClash = save.error instanceof PreconditionFailedError;
  return {
    thing: held.data?.thing,
    readError: held.error,
    save: save.mutate,
    isPending: save.isPending,
    error: isClash ? null : save.error,
    clash,
  };
}
