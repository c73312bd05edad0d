import { Link, Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Notices } from '../ui/notices.tsx';
import { FirstUse } from '../ui/states.tsx';

/** Frame of every page. */
export function Root(): ReactNode {
  return (
    <>
      <Outlet />
      <Notices />
    </>
  );
}

/** Page of an address that leads nowhere. */
export function Missing(): ReactNode {
  return (
    <FirstUse
      title="Not found"
      action={
        <Link to="/" className="underline">
          To the beginning
        </Link>
      }
    >
      There is no page at this address.
    </FirstUse>
  );
}
