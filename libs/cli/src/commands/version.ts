import type { Verb } from '../command.ts';
import { VERSION } from '../version.ts';

export const VERBS: readonly Verb[] = [
  {
    ...{ name: 'version', summary: 'print the version', example: 'version', isLocal: true },
    async run({ output }) {
      await (output.form === 'json' ? output.json({ version: VERSION }) : output.text(`${VERSION}\n`));
    },
  },
];
