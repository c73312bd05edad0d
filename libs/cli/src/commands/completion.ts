import type { Verb } from '../command.ts';
import { SCRIPTS } from '../completion/scripts.ts';
import { usageError } from '../exit.ts';

export const VERBS: readonly Verb[] = [
  {
    ...{ name: 'completion', summary: 'print the completion script of a shell: bash, zsh or fish', args: '<shell>' },
    ...{ example: 'completion bash', isLocal: true },
    async run({ arg, output }) {
      const script = Object.hasOwn(SCRIPTS, arg(0)) ? SCRIPTS[arg(0)] : undefined;
      if (script === undefined) throw usageError(`There is no script for ${arg(0)}`, 'bash, zsh, fish');
      await output.text(script);
    },
  },
];
