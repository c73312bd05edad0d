const NOT_CAPTURED = /\[not captured: (\d{1,9}) characters\]/g;

/** Text that takes the place of content of which only the length is kept. */
export function notCaptured(length: number): string {
  return `[not captured: ${length} characters]`;
}

/** Returns the length of the content that a text, or the parts of one, stand for; undefined if all of it is content. */
export function lengthNotCaptured(text: string): number | undefined {
  if (!text.includes('[not captured: ')) return undefined;
  const lengths = [...text.matchAll(NOT_CAPTURED)].map(([, length]) => Number(length));
  return lengths.length === 0 ? undefined : lengths.reduce((sum, length) => sum + length, 0);
}
