import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { clew } from '../api/client.ts';
import { useChange } from '../ui/use-change.ts';
import { Time } from '../text/time.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { fieldErrors } from '../ui/field-errors.ts';
import { TextField } from '../ui/fields.tsx';
import { FormError } from '../ui/form-error.tsx';
import { hubTokenQuery } from './queries.ts';

/** Token with which the project opens gated models on the hub; it is never shown again. */
export function HubToken({ projectId }: { readonly projectId: string }): ReactNode {
  const status = useQuery(hubTokenQuery(projectId));
  const [token, setToken] = useState('');
  const invalidates = [hubTokenQuery(projectId).queryKey];
  const save = useChange(() => clew.models.hubToken.set({ token: token.trim() }, { project: projectId }), {
    invalidates,
    onDone: () => setToken(''),
    onError: () => undefined,
  });
  const remove = useChange(() => clew.models.hubToken.delete({ project: projectId }), { invalidates });
  const errors = fieldErrors(save.error);
  return (
    <form
      aria-label="Token of the model hub"
      className="flex max-w-lg flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (token.trim() !== '') save.mutate(undefined);
      }}
    >
      <TextField
        label="Token of the model hub"
        type="password"
        value={token}
        maxLength={500}
        error={errors.get('token')}
        hint={
          status.data?.hasToken === true ? (
            <>
              There is one
              {status.data.updatedAt === null ? null : (
                <>
                  , given <Time atMs={status.data.updatedAt} />
                </>
              )}
              . A new one takes its place.
            </>
          ) : (
            'There is none. Open models need none.'
          )
        }
        onChange={setToken}
      />
      <FormError error={save.error} taken={errors.has('token')} />
      <div className="flex gap-2">
        <Button type="submit" isDisabled={token.trim() === '' || save.isPending}>
          Save the token
        </Button>
        {status.data?.hasToken === true ? (
          <ConfirmButton
            label="Remove the token"
            title="Remove the token"
            confirmLabel="Remove"
            onConfirm={() => remove.mutate(undefined)}
          >
            Gated models can then no longer be downloaded. Those that are here stay.
          </ConfirmButton>
        ) : null}
      </div>
    </form>
  );
}
