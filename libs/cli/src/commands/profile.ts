import type { Verb } from '../command.ts';
import { readConfig, readCredentials, writeConfig, writeCredentials, type Profile } from '../config/files.ts';
import { usageError } from '../exit.ts';
import { column, type Column } from '../output/cells.ts';

interface ShownProfile extends Profile {
  name: string;
  isCurrent: boolean;
  hasKey: boolean;
}

const COLUMNS: readonly Column<ShownProfile>[] = [
  column('NAME', ({ name }) => name),
  column('CURRENT', ({ isCurrent }) => isCurrent),
  column('ADDRESS', ({ url }) => url),
  column('PROJECT', ({ project }) => project),
  column('KEY', ({ hasKey }) => hasKey),
];

export const VERBS: readonly Verb[] = [
  {
    ...{ name: 'list', summary: 'list the profiles', example: 'profile list', isLocal: true },
    async run({ io, output }) {
      const { current, profiles } = readConfig(io);
      const credentials = readCredentials(io);
      const rows = Object.entries(profiles).map(([name, profile]) => ({
        ...{ name, ...profile, isCurrent: name === current, hasKey: credentials[name] !== undefined },
      }));
      await output.rows(rows, COLUMNS, { profiles: rows });
    },
  },
  {
    ...{ name: 'use', summary: 'choose the profile of commands that name none', args: '<profile>' },
    ...{ example: 'profile use test', isLocal: true },
    async run({ arg, io, output }) {
      const config = readConfig(io);
      if (!Object.hasOwn(config.profiles, arg(0))) throw usageError(`There is no profile ${arg(0)}`);
      writeConfig(io, { ...config, current: arg(0) });
      await output.note(`Now ${arg(0)} is in use`);
    },
  },
  {
    ...{ name: 'remove', summary: 'forget a profile with its key, which is not revoked', args: '<profile>' },
    ...{ example: 'profile remove test', isLocal: true },
    async run({ arg, io, output }) {
      const { current, profiles } = readConfig(io);
      if (!Object.hasOwn(profiles, arg(0))) throw usageError(`There is no profile ${arg(0)}`);
      const { [arg(0)]: _profile, ...others } = profiles;
      const { [arg(0)]: _credential, ...credentials } = readCredentials(io);
      const kept = current === arg(0) || current === undefined ? {} : { current };
      writeConfig(io, { ...kept, profiles: others });
      writeCredentials(io, credentials);
      await output.note(`Forgot ${arg(0)}`);
    },
  },
];
