import type { ReactNode } from 'react';
import { exampleChanges } from '../examples/example-changes.ts';
import { PartChanges } from '../examples/part-changes.tsx';
import { Button } from '../ui/button.tsx';
import { ClashNote } from '../ui/clash-note.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { ModalDialog } from '../ui/overlay.tsx';
import type { ExampleForm } from './use-example-form.ts';

/** Notes about a form: changes by others, and why it was refused. */
export function Notes({ form }: { readonly form: ExampleForm }): ReactNode {
  const { conflict, base, error, problems, isFine } = form;
  if (conflict !== undefined && base !== undefined) {
    return (
      <ClashNote thing="the Example" onMine={form.saveOver} onTheirs={form.takeTheirs}>
        <PartChanges
          changes={exampleChanges(base.example, conflict.example)}
          beforeLabel="As you began"
          afterLabel="As it is now"
        />
      </ClashNote>
    );
  }
  const hasFields = error !== null && isFine && problems.size > 0;
  return (
    <>
      <ErrorNote error={error} />
      {hasFields ? <RefusedFields problems={problems} /> : null}
    </>
  );
}

function RefusedFields({ problems }: { readonly problems: ReadonlyMap<string, string> }): ReactNode {
  return (
    <ul className="text-xs text-critical">
      {[...problems].map(([path, message]) => (
        <li key={path}>
          <span className="font-mono">{path}</span>: {message}
        </li>
      ))}
    </ul>
  );
}

/** Dialog that asks before unsaved changes are left. */
export function LeaveDialog({ form }: { readonly form: ExampleForm }): ReactNode {
  const { blocker } = form;
  const isBlocked = blocker.status === 'blocked';
  return (
    <ModalDialog
      title="Leave without saving?"
      isOpen={isBlocked}
      onClose={() => blocker.reset?.()}
      closeLabel="Stay"
      actions={
        <Button look="danger" onPress={() => blocker.proceed?.()}>
          Leave
        </Button>
      }
    >
      What you have changed in the Example would be lost.
    </ModalDialog>
  );
}
