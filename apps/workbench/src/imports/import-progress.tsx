import type { ReactNode } from 'react';
import { counted } from '../text/format.ts';
import { Progress } from '../ui/progress.tsx';

/** Import that goes on. */
export function ImportProgress({ exampleCount }: { readonly exampleCount: number | undefined }): ReactNode {
  return (
    <div role="status" className="flex flex-col gap-1">
      <Progress label="The file is being imported" share={undefined} />
      <p className="text-xs text-muted tabular-nums">
        The file is being read and checked.{' '}
        {exampleCount === undefined ? '' : `The Dataset has ${counted(exampleCount, 'Example')} by now.`} What has been
        taken stays, whatever happens to the rest.
      </p>
    </div>
  );
}
