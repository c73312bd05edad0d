import { createLink } from '@tanstack/react-router';
import { ChevronLeft } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';

interface UpAnchorProps extends Omit<ComponentProps<'a'>, 'children'> {
  /** Words for the place that it leads to. */
  readonly label: string;
}

function UpAnchor({ label, ...props }: UpAnchorProps): ReactNode {
  return (
    <a {...props} aria-label={label} className="rounded p-1 text-muted hover:bg-hover hover:text-ink">
      <ChevronLeft aria-hidden className="size-4" />
    </a>
  );
}

/** Link to the list that a page belongs to, before its title. */
export const UpLink = createLink(UpAnchor);
