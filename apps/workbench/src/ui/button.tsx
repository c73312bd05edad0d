import { useState, type ReactNode, type Ref } from 'react';
import {
  Button as AriaButton,
  Tooltip as AriaTooltip,
  TooltipTrigger,
  type ButtonProps as AriaButtonProps,
} from 'react-aria-components';
import { isCharacterKey, keysText } from '../commands/keys.ts';
import { commandOf, type CommandId } from '../commands/table.ts';
import { useCommands } from '../commands/use-commands.ts';
import { usePreferences } from '../preferences/preferences.ts';
import { cx } from './cx.ts';
import { useKeptFocus } from './keep-focus.ts';

export type ButtonLook = 'plain' | 'quiet' | 'main' | 'danger';

const LOOKS: Readonly<Record<ButtonLook, string>> = {
  plain: 'border border-line-strong bg-surface hover:bg-hover',
  quiet: 'border border-transparent hover:bg-hover text-muted hover:text-ink',
  main: 'border border-accent bg-accent text-accent-ink hover:opacity-90',
  danger: 'border border-critical text-critical hover:bg-critical-soft',
};

export interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'style' | 'children'> {
  readonly look?: ButtonLook;
  readonly className?: string;
  readonly children?: ReactNode;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** Classes of a button, for links that look like one. */
export function buttonClass(look: ButtonLook = 'plain', className?: string): string {
  const shape = 'inline-flex h-7 shrink-0 items-center gap-1.5 rounded-md px-2.5 text-sm font-medium whitespace-nowrap';
  const states = 'disabled:opacity-45 data-[pending]:opacity-45 data-[pressed]:translate-y-px';
  return cx(shape, LOOKS[look], states, className);
}

/** Button that keeps the focus while it is disabled, as during the request that it has begun, and on the page after. */
export function Button({ look, className, isDisabled = false, ...props }: ButtonProps): ReactNode {
  const [hasFocus, setFocus] = useState(false);
  const kept = useKeptFocus();
  return (
    <AriaButton
      {...props}
      isDisabled={isDisabled && !hasFocus}
      isPending={isDisabled && hasFocus}
      onFocusChange={(isFocused) => {
        setFocus(isFocused);
        kept.current = isFocused;
        props.onFocusChange?.(isFocused);
      }}
      className={buttonClass(look, className)}
    />
  );
}

/**
 * Keys of a command as they stand on the keyboard; nothing where they are switched off. They are no part of the name of
 * what they stand in.
 */
export function Keys({ command }: { readonly command: CommandId }): ReactNode {
  const { characterKeys } = usePreferences();
  const [keys] = commandOf(command).keys;
  if (keys === undefined || (!characterKeys && isCharacterKey(keys))) return null;
  return <kbd aria-hidden>{keysText(keys, IS_APPLE)}</kbd>;
}

export const IS_APPLE = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Shows a text beside an element that has the mouse or the focus. */
export function Tip({ text, children }: { readonly text: ReactNode; readonly children: ReactNode }): ReactNode {
  return (
    <TooltipTrigger delay={500} closeDelay={0}>
      {children}
      <AriaTooltip
        offset={6}
        className="flex max-w-72 items-center gap-2 rounded-md border border-line-strong bg-raised px-2 py-1 text-xs text-ink shadow-lg"
      >
        {text}
      </AriaTooltip>
    </TooltipTrigger>
  );
}

export interface CommandButtonProps extends Omit<ButtonProps, 'onPress'> {
  readonly command: CommandId;
  readonly onPress: () => void;
}

/** Button of a command: it takes the key, and says which one it is. */
export function CommandButton({ command, onPress, children, isDisabled, ...props }: CommandButtonProps): ReactNode {
  const { title } = commandOf(command);
  useCommands({ [command]: isDisabled === true ? undefined : onPress });
  return (
    <Tip
      text={
        <>
          {title} <Keys command={command} />
        </>
      }
    >
      <Button {...props} isDisabled={isDisabled} onPress={onPress}>
        {children ?? title}
      </Button>
    </Tip>
  );
}
