import { lazy, useEffect, useId, useRef, useState, type ReactNode } from 'react';
import type { CommandId } from '../commands/table.ts';
import { useCommands } from '../commands/use-commands.ts';
import { Button, type ButtonLook } from './button.tsx';
import { cx } from './cx.ts';
import type { MenuFocus, MenuListProps } from './menu-list.tsx';
import { OnceOpened } from './once-opened.tsx';

/** Code of the list, which comes when a menu is about to be opened for the first time. */
const loadList = () => import('./menu-list.tsx');
const MenuList = lazy(loadList);

export interface ChoiceMenuProps extends Pick<MenuListProps, 'ariaLabel' | 'sections' | 'onChoose'> {
  readonly label: ReactNode;
  readonly look?: ButtonLook;
  readonly className?: string;
  /** Command that opens the menu. */
  readonly command?: CommandId;
  readonly isDisabled?: boolean;
}

const FOCUS_OF_KEYS: Readonly<Record<string, MenuFocus>> = { ArrowDown: 'first', ArrowUp: 'last' };

/** Button that opens a menu of choices. */
export function ChoiceMenu(props: ChoiceMenuProps): ReactNode {
  const { label, ariaLabel, sections, onChoose, look, className, command, isDisabled } = props;
  const [focus, setFocus] = useState<MenuFocus>();
  const button = useRef<HTMLButtonElement>(null);
  const buttonId = useId();
  const id = useId();
  useCommands(command === undefined || isDisabled === true ? {} : { [command]: () => setFocus(true) });
  return (
    <>
      <Button
        ref={button}
        id={buttonId}
        look={look}
        className={cx('relative', className)}
        isDisabled={isDisabled}
        aria-haspopup="menu"
        aria-expanded={focus !== undefined}
        aria-controls={focus === undefined ? undefined : id}
        onHoverStart={() => void loadList()}
        onFocus={() => void loadList()}
        onPress={({ pointerType }) => setFocus(pointerType === 'mouse' || pointerType === 'touch' ? true : 'first')}
        onKeyDown={(event) => {
          const part = FOCUS_OF_KEYS[event.key];
          if (part === undefined) event.continuePropagation();
          else setFocus(part);
        }}
      >
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
      <OnceOpened isOpen={focus !== undefined} meanwhile={<EarlyArrows onArrow={setFocus} />}>
        <MenuList
          {...{ id, button, buttonId, focus, ariaLabel, sections, onChoose }}
          onClose={() => setFocus(undefined)}
        />
      </OnceOpened>
    </>
  );
}

/** Takes the arrows that are pressed before the list is there: a command leaves the focus elsewhere until then. */
function EarlyArrows({ onArrow }: { readonly onArrow: (part: MenuFocus) => void }): ReactNode {
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      const part = FOCUS_OF_KEYS[event.key];
      if (part === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      onArrow(part);
    };
    document.addEventListener('keydown', hear, { capture: true });
    return () => document.removeEventListener('keydown', hear, { capture: true });
  }, [onArrow]);
  return null;
}
