import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { FormProblem } from '../ui/form-problem.tsx';

interface SaveBarProps {
  readonly isChanged: boolean;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly fields?: readonly string[];
  readonly isIncomplete?: boolean;
  readonly onReset: () => void;
}

/** End of a form of settings: why it was refused, and its buttons. */
export function SaveBar({ isChanged, isPending, error, fields, isIncomplete, onReset }: SaveBarProps): ReactNode {
  return (
    <>
      <FormProblem {...{ error, fields }} />
      <div className="flex gap-2">
        <Button type="submit" look="main" isDisabled={!isChanged || isPending || isIncomplete === true}>
          Save
        </Button>
        {isChanged ? (
          <Button look="quiet" isDisabled={isPending} onPress={onReset}>
            As it was
          </Button>
        ) : null}
      </div>
    </>
  );
}
