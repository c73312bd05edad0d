/** Bytes by which a message that was read is remembered. */
const ENTRY_BYTES = 8;
/** Maximum entries of the ledger: a command or result can carry 1 MiB of them in Base64. */
const MAX_ENTRIES = ((1_048_576 / 4) * 3) / ENTRY_BYTES - 1;

/** Adds messages to those that were read, each once and in order; beyond the limit, the oldest are forgotten. */
export function withRead(alreadyRead: string, newlyRead: string): string {
  const entries = new Set([...entriesOf(alreadyRead), ...entriesOf(newlyRead)]);
  return Buffer.concat([...entries].slice(-MAX_ENTRIES).map((entry) => Buffer.from(entry, 'latin1'))).toString(
    'base64',
  );
}

function entriesOf(text: string): string[] {
  const bytes = Buffer.from(text, 'base64').toString('latin1');
  const count = Math.floor(bytes.length / ENTRY_BYTES);
  return Array.from({ length: count }, (_, index) => bytes.slice(index * ENTRY_BYTES, (index + 1) * ENTRY_BYTES));
}
