import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');

/** Returns the blocks of one language in a file of this repository, each under the heading above it. */
export async function readmeBlocks(file: string, language: string): Promise<{ heading: string; code: string }[]> {
  const blocks: { heading: string; code: string }[] = [];
  let heading = '';
  let code: string[] | undefined;
  for (const line of (await readFile(join(ROOT, file), 'utf8')).split('\n')) {
    if (code === undefined) {
      if (line.startsWith('#')) heading = line.replace(/^#+ /, '');
      else if (line === `\`\`\`${language}`) code = [];
    } else if (line === '```') {
      blocks.push({ heading, code: code.join('\n') });
      code = undefined;
    } else code.push(line);
  }
  return blocks;
}
