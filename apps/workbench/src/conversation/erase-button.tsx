import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { clew } from '../api/client.ts';
import { conversationsKey, findingsKey } from '../api/queries.ts';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { notify, notifyError } from '../ui/notices.tsx';

interface EraseProps {
  readonly projectId: string;
  readonly conversationId: string;
}

/** Erases a conversation, once its id has been typed. */
export function EraseButton({ projectId, conversationId }: EraseProps): ReactNode {
  const client = useQueryClient();
  const navigate = useNavigate();
  const erase = useMutation({
    mutationFn: () => clew.conversations.erase(conversationId, { project: projectId }),
    onSuccess: async ({ erasureId }) => {
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
    <ConfirmButton
      label="Erase…"
      title="Erase the conversation?"
      confirmLabel="Erase for good"
      typed={conversationId}
      isDisabled={erase.isPending}
      onConfirm={() => erase.mutate()}
    >
      Its messages go, with all that was made of its words: evidence, Knowledge and Examples. Nobody can bring them
      back.
    </ConfirmButton>
  );
}
