import type { ReactNode } from 'react';
import { keysText } from '../commands/keys.ts';
import { COMMAND_GROUPS, COMMAND_IDS, commandOf } from '../commands/table.ts';
import { useActiveCommands } from '../commands/use-commands.ts';
import { setPreferences, usePreferences } from '../preferences/preferences.ts';
import { IS_APPLE } from '../ui/button.tsx';
import { cx } from '../ui/cx.ts';
import { ModalDialog } from '../ui/overlay.tsx';

/** Sheet of all keys; those that do nothing on this page are pale. */
export default function KeysSheet({ onClose }: { readonly onClose: () => void }): ReactNode {
  const active = useActiveCommands();
  const { characterKeys } = usePreferences();
  return (
    <ModalDialog title="Keys" isOpen onClose={onClose} isWide>
      <div className="columns-1 gap-8 sm:columns-2">
        {COMMAND_GROUPS.map((group) => (
          <section key={group} className="mb-4 break-inside-avoid">
            <h3 className="mb-1 text-xs font-semibold text-muted">{group}</h3>
            <dl>
              {COMMAND_IDS.filter((id) => commandOf(id).group === group).map((id) => (
                <div key={id} className={cx('flex items-center gap-2 py-1', !active.includes(id) && 'text-muted')}>
                  <dt className="flex-1">{commandOf(id).title}</dt>
                  <dd className="flex gap-1">
                    {commandOf(id).keys.map((keys) => (
                      <kbd key={keys}>{keysText(keys, IS_APPLE)}</kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <label className="flex items-center gap-2 border-t border-line pt-3">
        <input
          type="checkbox"
          className="accent-[var(--accent)]"
          checked={characterKeys}
          onChange={(event) => setPreferences({ characterKeys: event.currentTarget.checked })}
        />
        Keys of one character give commands
      </label>
    </ModalDialog>
  );
}
