import { readJson } from '@clew/kernel';

/** Reads the JSON of a body; undefined if there is none. */
export function jsonOf(body: Uint8Array): unknown {
  return parsed(Buffer.from(body).toString());
}

/** Reads the JSON of a form with one field, in which GitHub can send it too. */
export function jsonOfForm(body: Uint8Array): unknown {
  return parsed(new URLSearchParams(Buffer.from(body).toString()).get('payload') ?? '');
}

function parsed(text: string): unknown {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}
