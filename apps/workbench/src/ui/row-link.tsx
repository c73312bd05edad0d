import type { ReactNode } from 'react';
import { BASE } from '../api/client.ts';

/** Path below which all pages lie, with a slash at its end. */
const ROOT = new URL(BASE).pathname;

interface RowLinkProps {
  readonly href: string;
  readonly title?: string;
  readonly children: ReactNode;
}

/**
 * Link of a row of a `Grid` to the page of its thing. The grid opens that page; the address is there to be copied, and
 * for new tabs. It has the direction of its text.
 */
export function RowLink({ href, title, children }: RowLinkProps): ReactNode {
  return (
    <a
      href={href}
      title={title}
      dir="auto"
      tabIndex={-1}
      data-opens=""
      className="truncate font-medium hover:underline"
    >
      {children}
    </a>
  );
}

/** Address of a page of a project, by the parts of its path. */
export function pageAddress(projectId: string, ...parts: readonly string[]): string {
  return `${ROOT}${['p', projectId, ...parts].map(encodeURIComponent).join('/')}`;
}

/** Tells whether a click is meant for the row as a whole, rather than for a part of it or for another tab. */
export function opensRow(
  event: Pick<React.MouseEvent, 'target' | 'metaKey' | 'ctrlKey' | 'shiftKey' | 'altKey'>,
): boolean {
  if (!(event.target instanceof Element)) return false;
  const part = event.target.closest('a, button, input, label');
  if (part === null) return true;
  return (
    'opens' in (part as HTMLElement).dataset && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
  );
}
