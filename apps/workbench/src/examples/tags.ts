/** Tags as they are typed, separated by commas; each once. */
export function tagsOf(typed: string): string[] {
  const tags = typed.split(',').map((tag) => tag.trim().slice(0, 200));
  return [...new Set(tags.filter((tag) => tag !== ''))];
}
