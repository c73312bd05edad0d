import type { ReactNode } from 'react';
import type { Api } from '@clew/sdk';
import { useCommands } from '../commands/use-commands.ts';
import { sentence } from '../text/format.ts';
import { CommandButton, Keys } from '../ui/button.tsx';
import { ChoiceMenu } from '../ui/menu.tsx';
import { ITEM_KINDS, type ItemKind } from './knowledge-search.ts';
import { acceptChanges } from './queue.ts';
import type { Review } from './use-review.tsx';

interface ActionsProps {
  readonly review: Review;
  /** Items that are selected, else the one under the cursor. */
  readonly chosen: readonly Api.KnowledgeItem[];
  readonly isMany: boolean;
  readonly isEditing: boolean;
  readonly onEdit: () => void;
  /** Goes on to what is next after items were decided. */
  readonly goOn: (itemIds: readonly string[]) => void;
}

/** Buttons of the review, each with its key. */
export function ItemActions({ review, chosen, isMany, isEditing, onEdit, goOn }: ActionsProps): ReactNode {
  const ids = chosen.map(({ id }) => id);
  const isNothing = chosen.length === 0;
  const isArchived = !isNothing && chosen.every(({ status }) => status === 'archived');
  const setKind = (kind: ItemKind) => review.change({ decision: 'kind', parts: [{ items: chosen, change: { kind } }] });
  useCommands(
    Object.fromEntries(ITEM_KINDS.map((kind) => [`knowledge.${kind}`, isNothing ? undefined : () => setKind(kind)])),
  );
  const accept = () => {
    review.change({ decision: 'accepted', parts: acceptChanges(chosen) });
    goOn(ids);
  };
  const archive = () => {
    const change = { status: isArchived ? 'active' : 'archived' } as const;
    review.change({ decision: isArchived ? 'accepted' : 'archived', parts: [{ items: chosen, change }] });
    goOn(ids);
  };
  return (
    <div
      role="group"
      aria-label="Decide"
      className="flex min-h-11 flex-wrap items-center gap-1.5 border-b border-line bg-surface px-4 py-1.5"
    >
      <CommandButton command="knowledge.accept" look="main" isDisabled={isNothing} onPress={accept}>
        {isMany ? `Accept ${chosen.length}` : 'Accept'}
      </CommandButton>
      <CommandButton command="knowledge.edit" isDisabled={isNothing || isMany || isEditing} onPress={onEdit}>
        Edit
      </CommandButton>
      <KindMenu {...{ chosen, setKind }} />
      <CommandButton command="knowledge.archive" isDisabled={isNothing} onPress={archive}>
        {isArchived ? 'Make active again' : isMany ? `Archive ${chosen.length}` : 'Archive'}
      </CommandButton>
      <CommandButton
        command="knowledge.skip"
        look="quiet"
        isDisabled={isNothing || isMany}
        onPress={() => {
          for (const id of ids) review.skip(id);
          goOn(ids);
        }}
      >
        Skip
      </CommandButton>
      <CommandButton command="action.undo" look="quiet" onPress={review.undo}>
        Undo
      </CommandButton>
      <span className="ml-auto hidden items-center gap-2 text-xs text-muted xl:flex">
        <Keys command="knowledge.accept" /> accept <Keys command="knowledge.archive" /> archive{' '}
        <Keys command="knowledge.skip" /> skip <Keys command="action.undo" /> undo
      </span>
    </div>
  );
}

interface KindMenuProps {
  readonly chosen: readonly Api.KnowledgeItem[];
  readonly setKind: (kind: ItemKind) => void;
}

function KindMenu({ chosen, setKind }: KindMenuProps): ReactNode {
  const isAll = (kind: ItemKind) => chosen.length > 0 && chosen.every((item) => item.kind === kind);
  const current = ITEM_KINDS.find(isAll);
  return (
    <ChoiceMenu
      ariaLabel="Kind"
      isDisabled={chosen.length === 0}
      label={current === undefined ? 'Kind' : `Kind: ${sentence(current)}`}
      sections={[
        {
          choices: ITEM_KINDS.map((kind) => ({
            id: kind,
            label: sentence(kind),
            text: kind,
            hint: <Keys command={`knowledge.${kind}`} />,
            isChosen: isAll(kind),
          })),
        },
      ]}
      onChoose={(id) => {
        const kind = ITEM_KINDS.find((each) => each === id);
        if (kind !== undefined) setKind(kind);
      }}
    />
  );
}
