import type { ReactNode, RefObject } from 'react';
import { Header, Menu, MenuItem, MenuSection, Popover } from 'react-aria-components';
import { cx } from './cx.ts';

/** Part of the menu that takes the focus when it opens. */
export type MenuFocus = 'first' | 'last' | true;

export interface Choice {
  readonly id: string;
  readonly label: ReactNode;
  /** Text that typing finds. */
  readonly text: string;
  readonly hint?: ReactNode;
  readonly isChosen?: boolean;
}

export interface MenuListProps {
  readonly id: string;
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly buttonId: string;
  /** Name of the menu and of its button, which holds the words that are seen. */
  readonly ariaLabel?: string;
  readonly sections: readonly { readonly title?: string; readonly choices: readonly Choice[] }[];
  readonly onChoose: (id: string) => void;
  /** Nothing while the menu is closed. */
  readonly focus: MenuFocus | undefined;
  readonly onClose: () => void;
}

/** Choices of a menu, below its button. */
export default function MenuList(props: MenuListProps): ReactNode {
  const { id, button, buttonId, focus, ariaLabel, sections, onChoose, onClose } = props;
  const name = ariaLabel === undefined ? { 'aria-labelledby': buttonId } : { 'aria-label': ariaLabel };
  return (
    <Popover
      {...name}
      isOpen={focus !== undefined}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      triggerRef={button}
      placement="bottom start"
      offset={4}
      className="min-w-48 overflow-auto rounded-lg border border-line-strong bg-raised p-1 shadow-xl outline-none"
    >
      <Menu
        {...name}
        id={id}
        autoFocus={focus}
        className="outline-none"
        onAction={(key) => onChoose(String(key))}
        onClose={onClose}
      >
        {sections.map(({ title, choices }, at) => (
          <MenuSection key={title ?? at} aria-label={title ?? 'Choices'}>
            {title === undefined ? null : (
              <Header className="px-2 pt-1.5 pb-1 text-xs font-medium text-muted">{title}</Header>
            )}
            {choices.map((choice) => (
              <MenuItem
                key={choice.id}
                id={choice.id}
                textValue={choice.text}
                className="flex items-center gap-2 rounded-md px-2 py-1.5 text-sm outline-none data-[focused]:bg-hover"
              >
                <span aria-hidden className={cx('w-3 text-accent', choice.isChosen !== true && 'invisible')}>
                  ✓
                </span>
                <span className="min-w-0 flex-1 truncate">{choice.label}</span>
                {choice.hint === undefined ? null : <span className="text-xs text-muted">{choice.hint}</span>}
              </MenuItem>
            ))}
          </MenuSection>
        ))}
      </Menu>
    </Popover>
  );
}
