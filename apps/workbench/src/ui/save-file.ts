const KEPT_MS = 10_000;

/** Gives a text to the browser as a file to keep. */
export function saveFile(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser may still be asking where to keep it.
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
}
