import { Fragment, type ReactNode } from 'react';
import { codePointOf, visiblePieces } from './visible-text.ts';

/** Text that somebody else wrote: shown as text, in its own direction, with hidden characters named in their place. */
export function HostileText({ text, className }: { readonly text: string; readonly className?: string }): ReactNode {
  return (
    <bdi className={className}>
      <VisibleText text={text} />
    </bdi>
  );
}

/** The same without an element around it. */
export function VisibleText({ text }: { readonly text: string }): ReactNode {
  return visiblePieces(text).map((piece, at) =>
    piece.kind === 'text' ? (
      <Fragment key={at}>{piece.text}</Fragment>
    ) : (
      <span key={at} className="hidden-character" title={`${codePointOf(piece.text)}, ${piece.name}`}>
        {codePointOf(piece.text)}
      </span>
    ),
  );
}
