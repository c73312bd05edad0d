const MAX_NAME_LENGTH = 80;

/** Names of persons as a model tells them, without what cannot be one: a name has a capital, or a script without any. */
export function personsIn({ persons }: { persons: readonly string[] }): string[] {
  const names = persons.map((name) => name.trim()).filter((name) => name.length > 1 && name.length <= MAX_NAME_LENGTH);
  return [...new Set(names)].filter((name) => /[\p{Lu}\p{Lo}]/u.test(name));
}
