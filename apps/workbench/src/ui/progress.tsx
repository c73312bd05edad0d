import type { ReactNode } from 'react';

interface ProgressProps {
  readonly label: string;
  /** Share that is done, 0 to 1; undefined while nobody knows. */
  readonly share: number | undefined;
}

/** Bar of work that goes on. */
export function Progress({ label, share }: ProgressProps): ReactNode {
  return (
    <progress
      aria-label={label}
      className="h-1.5 w-full appearance-none overflow-hidden rounded-full bg-line indeterminate:animate-pulse indeterminate:bg-line-strong [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-transparent [&::-webkit-progress-value]:bg-accent"
      {...(share === undefined ? {} : { value: Math.min(1, Math.max(0, share)), max: 1 })}
    />
  );
}
