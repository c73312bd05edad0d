import { useState, type ReactNode } from 'react';
import { Header, Menu, MenuItem, MenuSection, MenuTrigger, Popover } from 'react-aria-components';
import type { CommandId } from '../commands/table.ts';
import { useCommands } from '../commands/use-commands.ts';
import { Button, type ButtonLook } from './button.tsx';
import { cx } from './cx.ts';

export interface Choice {
  readonly id: string;
  readonly label: ReactNode;
  /** Text that typing finds. */
  readonly text: string;
  readonly hint?: ReactNode;
  readonly isChosen?: boolean;
}

export interface ChoiceMenuProps {
  readonly label: ReactNode;
  /** Name of the menu and of its button, which holds the words that are seen. */
  readonly ariaLabel?: string;
  readonly sections: readonly { readonly title?: string; readonly choices: readonly Choice[] }[];
  readonly onChoose: (id: string) => void;
  readonly look?: ButtonLook;
  readonly className?: string;
  /** Command that opens the menu. */
  readonly command?: CommandId;
  readonly isDisabled?: boolean;
}

/** Button that opens a menu of choices. */
export function ChoiceMenu(props: ChoiceMenuProps): ReactNode {
  const { label, ariaLabel, sections, onChoose, look, className, command, isDisabled } = props;
  const [isOpen, setOpen] = useState(false);
  useCommands(command === undefined || isDisabled === true ? {} : { [command]: () => setOpen(true) });
  return (
    <MenuTrigger isOpen={isOpen} onOpenChange={setOpen}>
      <Button look={look} className={cx('relative', className)} isDisabled={isDisabled}>
        {ariaLabel === undefined ? (
          label
        ) : (
          <>
            <span className="sr-only">{ariaLabel}</span>
            <span aria-hidden className="contents">
              {label}
            </span>
          </>
        )}
      </Button>
      <Popover
        offset={4}
        className="min-w-48 overflow-auto rounded-lg border border-line-strong bg-raised p-1 shadow-xl outline-none"
      >
        <Menu aria-label={ariaLabel} className="outline-none" onAction={(key) => onChoose(String(key))}>
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
    </MenuTrigger>
  );
}
