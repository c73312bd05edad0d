import type { ReactNode } from 'react';
import { commands } from '../../commands/registry.ts';
import { setPreferences, usePreferences, type Theme } from '../../preferences/preferences.ts';
import { Button, Keys } from '../../ui/button.tsx';
import { CheckField } from '../../ui/fields.tsx';
import { Panel } from '../../ui/panel.tsx';

const THEMES: readonly { readonly id: Theme; readonly label: string }[] = [
  { id: 'system', label: 'As the system' },
  { id: 'light', label: 'Light' },
  { id: 'dark', label: 'Dark' },
];

/** Looks and keys, which this browser keeps. */
export default function AppearancePart(): ReactNode {
  const { theme, characterKeys } = usePreferences();
  return (
    <>
      <Panel title="Appearance" hint="Kept by this browser alone.">
        <fieldset className="flex flex-wrap gap-4">
          <legend className="sr-only">Colours</legend>
          {THEMES.map(({ id, label }) => (
            <label key={id} className="flex items-center gap-2">
              <input
                type="radio"
                name="theme"
                className="accent-[var(--accent)]"
                checked={theme === id}
                onChange={() => setPreferences({ theme: id })}
              />
              {label}
            </label>
          ))}
        </fieldset>
      </Panel>
      <Panel
        title="Keys"
        hint="Everything can be done by keyboard."
        aside={
          <Button onPress={() => commands.run('keys.show')}>
            Show all keys <Keys command="keys.show" />
          </Button>
        }
      >
        <CheckField
          isSwitch
          label="Keys of one character give commands"
          hint="Off: only keys with Ctrl or Command, and those with a name such as Enter, for those who speak to their computer."
          isChecked={characterKeys}
          onChange={(isChecked) => setPreferences({ characterKeys: isChecked })}
        />
      </Panel>
    </>
  );
}
