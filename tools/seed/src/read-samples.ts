import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { SampleFile, type SampleConversation } from './sample-conversation.ts';

/** Sample conversation, with the domain in the name of its file. */
export interface Sample {
  readonly domain: string;
  readonly conversation: SampleConversation;
}

const SAMPLES_DIRECTORY = path.join(import.meta.dirname, '../../../samples/conversations');

/** Reads and validates all sample conversations, in a stable order. */
export function readSamples(directory = SAMPLES_DIRECTORY): Sample[] {
  const files = readdirSync(directory).filter((file) => file.endsWith('.json'));
  return files.sort().flatMap((file) => {
    const parsed = SampleFile.safeParse(JSON.parse(readFileSync(path.join(directory, file), 'utf8')));
    if (!parsed.success) throw new Error(`${file} holds no valid samples: ${parsed.error.message}`);
    return parsed.data.map((conversation) => ({ domain: path.basename(file, '.json'), conversation }));
  });
}
