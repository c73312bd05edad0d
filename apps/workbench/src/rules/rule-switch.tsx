import type { ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { clew } from '../api/client.ts';
import { useChange } from '../ui/use-change.ts';
import { rulesKey } from './queries.ts';

interface RuleSwitchProps {
  readonly projectId: string;
  readonly rule: Api.Rule;
  /** Whether it stands in a list, whose own keys lead to it. */
  readonly isInRow?: boolean;
}

/** Switches a Rule on or off, at once. */
export function RuleSwitch({ projectId, rule, isInRow = false }: RuleSwitchProps): ReactNode {
  const { ruleId, name, enabled } = rule;
  const change = useChange((next: boolean) => clew.rules.update(ruleId, { enabled: next }, { project: projectId }), {
    invalidates: [rulesKey(projectId)],
  });
  const isOn = change.isPending ? change.variables : enabled;
  return (
    <label className="flex items-center gap-1.5">
      <input
        type="checkbox"
        role="switch"
        tabIndex={isInRow ? -1 : undefined}
        aria-label={`Run ${name}`}
        className="size-3.5 accent-[var(--accent)]"
        checked={isOn}
        disabled={change.isPending}
        onChange={(event) => change.mutate(event.currentTarget.checked)}
      />
      {isOn ? 'On' : 'Off'}
    </label>
  );
}
