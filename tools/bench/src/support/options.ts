import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';

export function readOptions<const Options extends ParseArgsOptionsConfig>(args: readonly string[], options: Options) {
  return parseArgs({ args: [...args], options }).values;
}
