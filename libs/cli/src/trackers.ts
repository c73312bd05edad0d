/** Reads the place of issues as people write it; undefined if a tracker has no such place. */
export function destinationOf(tracker: string, place: string): object | undefined {
  const [first = '', second, ...rest] = place.split('/');
  if (first === '' || second === '') return undefined;
  if (tracker === 'gitlab') return { projectId: /^\d{1,15}$/.test(place) ? Number(place) : place };
  if (rest.length > 0) return undefined;
  if (tracker === 'github') return second === undefined ? undefined : { owner: first, repo: second };
  if (tracker === 'jira') return { projectKey: first, ...(second === undefined ? {} : { issueType: second }) };
  return second === undefined ? { teamId: first } : undefined;
}

/** Writes the place of issues as people write it. */
export function placeOf(destination: object): string {
  return Object.values(destination).join('/');
}
