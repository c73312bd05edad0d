import type { ReactNode } from 'react';
import { ChoiceCards } from '../ui/choice-cards.tsx';
import { OBJECTIVE_IDS, OBJECTIVES, type Objective } from './words.ts';

interface CardsProps {
  readonly label: string;
  readonly chosen: Objective | undefined;
  readonly onChoose: (objective: Objective) => void;
  readonly isDisabled?: boolean;
}

/** Choice of what a Dataset collects by itself. */
export function ObjectiveCards({ label, chosen, onChoose, isDisabled }: CardsProps): ReactNode {
  return (
    <ChoiceCards
      label={label}
      columns={2}
      choices={OBJECTIVE_IDS.map((id) => ({ id, ...OBJECTIVES[id] }))}
      {...{ chosen, onChoose, isDisabled }}
    />
  );
}
