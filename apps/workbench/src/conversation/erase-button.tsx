import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { clew } from '../api/client.ts';
import { conversationsKey, findingsKey } from '../api/queries.ts';
import { Button } from '../ui/button.tsx';
import { notify, notifyError } from '../ui/notices.tsx';
import { ModalDialog } from '../ui/overlay.tsx';

interface EraseProps {
  readonly projectId: string;
  readonly conversationId: string;
}

/** Erases a conversation, once its id has been typed. */
export function EraseButton({ projectId, conversationId }: EraseProps): ReactNode {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const erase = useMutation({
    mutationFn: () => clew.conversations.erase(conversationId, { project: projectId }),
    onSuccess: async ({ erasureId }) => {
      setOpen(false);
      notify(
        <>
          It is being erased. Receipt <code className="font-mono text-xs">{erasureId}</code>
        </>,
      );
      await navigate({ to: '/p/$projectId/conversations', params: { projectId } });
      for (const key of [conversationsKey(projectId), findingsKey(projectId)])
        void client.resetQueries({ queryKey: key });
    },
    onError: notifyError,
  });
  return (
    <>
      <Button look="quiet" onPress={() => setOpen(true)}>
        Erase…
      </Button>
      <ModalDialog
        title="Erase the conversation?"
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        closeLabel="Keep it"
        actions={
          <Button
            look="danger"
            isDisabled={typed.trim() !== conversationId || erase.isPending}
            onPress={() => erase.mutate()}
          >
            Erase for good
          </Button>
        }
      >
        <p>
          Its messages go, with all that was made of its words: evidence, Knowledge and Examples. Nobody can bring them
          back.
        </p>
        <label className="mt-3 flex flex-col gap-1">
          <span>
            Type <code className="font-mono text-xs">{conversationId}</code>
          </span>
          <input
            value={typed}
            className="h-8 rounded-md border border-line-strong bg-surface px-2 font-mono text-xs"
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        </label>
      </ModalDialog>
    </>
  );
}
