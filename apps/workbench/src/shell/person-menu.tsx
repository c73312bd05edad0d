import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { BASE, clew } from '../api/client.ts';
import { meQuery } from '../api/queries.ts';
import { commands } from '../commands/registry.ts';
import { setPreferences, usePreferences, type Theme } from '../preferences/preferences.ts';
import { visibleText } from '../text/visible-text.ts';
import { ChoiceMenu } from '../ui/menu.tsx';
import { notifyError } from '../ui/notices.tsx';

const THEMES: readonly (readonly [Theme, string])[] = [
  ['system', 'As the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
];

/** Person that is signed in, with choices of their own. */
export function PersonMenu(): ReactNode {
  const { data: me } = useQuery(meQuery);
  const { theme, characterKeys } = usePreferences();
  const signOut = useMutation({
    mutationFn: () => clew.auth.signOut(),
    onSuccess: () => location.assign(new URL('sign-in', BASE)),
    onError: notifyError,
  });
  const name = visibleText(me?.name ?? me?.email ?? me?.id ?? '');
  const deeds: Readonly<Record<string, () => void>> = {
    'sign-out': () => signOut.mutate(),
    keys: () => commands.run('keys.show'),
    'character-keys': () => setPreferences({ characterKeys: !characterKeys }),
    password: () => location.assign(new URL('password', BASE)),
    docs: () => location.assign(new URL('docs/', BASE)),
  };
  return (
    <ChoiceMenu
      ariaLabel={`Signed in as ${name}`}
      look="quiet"
      className="w-full justify-start gap-2 px-1.5"
      label={
        <>
          <span
            aria-hidden
            className="grid size-5 shrink-0 place-items-center rounded-full bg-chosen text-[0.625rem] font-semibold text-accent uppercase"
          >
            {[...name][0]}
          </span>
          <span className="label truncate">{name}</span>
        </>
      }
      sections={[
        {
          title: 'Appearance',
          choices: THEMES.map(([id, label]) => ({ id: `theme-${id}`, label, text: label, isChosen: id === theme })),
        },
        {
          title: 'Keys',
          choices: [
            choice('keys', 'Show the keys'),
            { ...choice('character-keys', 'Keys of one character'), isChosen: characterKeys },
          ],
        },
        {
          title: me?.email === undefined ? 'Account' : visibleText(me.email),
          choices: [choice('password', 'Change the password'), choice('docs', 'API'), choice('sign-out', 'Sign out')],
        },
      ]}
      onChoose={(id) => {
        const chosen = THEMES.find(([each]) => id === `theme-${each}`);
        if (chosen === undefined) deeds[id]?.();
        else setPreferences({ theme: chosen[0] });
      }}
    />
  );
}

function choice(id: string, label: string): { id: string; label: string; text: string } {
  return { id, label, text: label };
}
