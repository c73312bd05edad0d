import type { ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { HostileText } from '../text/hostile-text.tsx';
import { Section } from '../ui/section.tsx';

/** Hint at what would mend a Finding, if there is one. */
export function WhatMayHelp({ finding: { remediationHint } }: { readonly finding: Api.Finding }): ReactNode {
  if (remediationHint === '') return null;
  return (
    <Section title="What may help">
      <p>
        <HostileText text={remediationHint} />
      </p>
    </Section>
  );
}
