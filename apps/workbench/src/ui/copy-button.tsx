import { useState, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { notify } from './notices.tsx';

/** Copies a text, and says that it did. A browser that refuses shows the text instead. */
export function CopyButton({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }): ReactNode {
  const [isCopied, setCopied] = useState(false);
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => notify(text),
    );
  };
  return (
    <Button look="quiet" className="h-6 px-1.5 text-xs" onPress={copy}>
      {isCopied ? 'Copied' : label}
    </Button>
  );
}

/** Lines to be copied into a terminal or a program. */
export function Snippet({ text, label }: { readonly text: string; readonly label: string }): ReactNode {
  return (
    <div className="flex items-start gap-2 rounded-md border border-line bg-sunken px-2.5 py-2">
      <pre aria-label={label} tabIndex={0} className="min-w-0 flex-1 overflow-x-auto font-mono text-xs">
        {text}
      </pre>
      <CopyButton text={text} />
    </div>
  );
}
