/** Place of an issue: `owner/repo#number` as one text. */
export interface GitHubReference {
  owner: string;
  repo: string;
  number: number;
}

const EXTERNAL_ID = /^([A-Za-z0-9][\w-]{0,99})\/([\w.-]{1,100})#([1-9]\d{0,14})$/;

export function gitHubExternalId({ owner, repo, number }: GitHubReference): string {
  return `${owner}/${repo}#${number}`;
}

export function parseGitHubExternalId(text: string): GitHubReference | undefined {
  const [, owner, repo, number] = EXTERNAL_ID.exec(text) ?? [];
  if (owner === undefined || repo === undefined) return undefined;
  return repo === '.' || repo === '..' ? undefined : { owner, repo, number: Number(number) };
}
