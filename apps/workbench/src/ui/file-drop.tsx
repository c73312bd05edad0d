import { FileUp } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import { HostileText } from '../text/hostile-text.tsx';
import { cx } from './cx.ts';

interface FileDropProps {
  readonly label: string;
  /** Name of the file that was chosen. */
  readonly chosen?: string;
  /** Endings of names that the browser offers first: `.csv,.jsonl`. */
  readonly accept?: string;
  readonly onFile: (file: File) => void;
}

/** Place for a file: it is dropped there, or chosen. */
export function FileDrop({ label, chosen, accept, onFile }: FileDropProps): ReactNode {
  const id = useId();
  const [isOver, setOver] = useState(false);
  const take = (files: FileList | null) => {
    const file = files?.[0];
    if (file !== undefined) onFile(file);
  };
  return (
    <div
      className={cx(
        'relative flex flex-col items-center gap-1 rounded-lg border border-dashed px-4 py-6 text-center focus-within:outline-2 focus-within:outline-focus',
        isOver ? 'border-accent bg-chosen' : 'border-line-strong bg-surface',
      )}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer.files);
      }}
    >
      <FileUp aria-hidden className="size-5 text-muted" />
      <label htmlFor={id} className="font-medium">
        {chosen === undefined ? label : <HostileText text={chosen} />}
      </label>
      <p className="text-xs text-muted">
        {chosen === undefined ? 'Drop it here, or press to choose' : 'Press or drop for another one'}
      </p>
      <input
        id={id}
        type="file"
        accept={accept}
        className="absolute inset-0 opacity-0"
        onChange={(event) => {
          take(event.currentTarget.files);
          // The same file may be chosen again, once it has been mended.
          event.currentTarget.value = '';
        }}
      />
    </div>
  );
}
