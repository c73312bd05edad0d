import { memoryBody, type Body } from './body.ts';
import type { RequestBytes } from './byte-budget.ts';
import type { Spool, Spools } from './spool.ts';

export interface GatherOptions {
  projectId: string;
  /** Size beyond which a body goes to a file. */
  spoolThresholdBytes: number;
  spools: Spools;
  held: RequestBytes;
}

/** Receives a whole body, in memory or in a file; the caller closes it. */
export async function gatherBody(chunks: AsyncIterable<Buffer>, options: GatherOptions): Promise<Body> {
  const { projectId, spoolThresholdBytes, spools, held } = options;
  let parts: Buffer[] = [];
  let bytes = 0;
  let spool: Spool | undefined;
  try {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes <= spoolThresholdBytes) {
        held.setBody(bytes);
        parts.push(chunk);
        continue;
      }
      if (spool === undefined) {
        spool = await spools.open(projectId, held);
        for (const part of parts) await spool.write(part);
        parts = [];
      }
      await spool.write(chunk);
    }
  } catch (error) {
    await spool?.close();
    throw error;
  }
  return spool ?? memoryBody(parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts, bytes));
}
