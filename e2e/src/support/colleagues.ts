import type { InvitationLink, Person, Role } from '@clew/contracts';
import type { ErrorBody } from '@clew/kernel';
import type { ApiResponse } from './api.ts';
import { runningStack } from './stack.ts';

/** Somebody at a browser, signed in. */
export interface SignedInPerson {
  person: Person;
  /** Header `Cookie` of their session. */
  cookie: string;
  call<Body = ErrorBody>(method: string, path: string, body?: unknown): Promise<ApiResponse<Body>>;
}

/** Sends a request as a page of the deployment does, without a key. */
export async function callAsBrowser<Body = ErrorBody>(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<ApiResponse<Body>> {
  const response = await fetch(new URL(path, runningStack().gatewayUrl), {
    method,
    redirect: 'manual',
    headers: {
      'sec-fetch-site': 'same-origin',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true && text !== '';
  return { status: response.status, headers: response.headers, body: (isJson ? JSON.parse(text) : text) as Body };
}

/** Makes somebody of an answer that signed them in. */
export function signedIn({ status, headers, body }: ApiResponse<{ person: Person }>): SignedInPerson {
  const cookie = headers.get('set-cookie')?.split(';', 1)[0];
  if (status !== 200 || cookie === undefined)
    throw new Error(`Nobody was signed in: ${status} ${JSON.stringify(body)}`);
  return { person: body.person, cookie, call: (method, path, sent) => callAsBrowser(method, path, sent, { cookie }) };
}

export async function signInOwner(): Promise<SignedInPerson> {
  const { adminEmail: email, adminPassword: password } = runningStack();
  return signedIn(await callAsBrowser('POST', '/v1/auth/sign-in', { email, password }));
}

const PASSWORD = 'bluish tractor overhead';
let invited = 0;

/** Tokens of all links that were given out. */
export const givenTokens = new Set<string>();

export function tokenOf(link: string): string {
  return link.slice(link.lastIndexOf('/') + 1);
}

export interface Invited {
  email?: string;
  role?: 'owner';
  projectRoles?: { projectId: string; role: Role }[];
}

export async function invite(by: SignedInPerson, given: Invited): Promise<InvitationLink> {
  invited += 1;
  const email = `colleague-${process.pid}-${Date.now()}-${invited}@example.com`;
  const { status, body } = await by.call<InvitationLink>('POST', '/v1/invitations', { email, ...given });
  if (status !== 201) throw new Error(`Could not invite: ${status} ${JSON.stringify(body)}`);
  givenTokens.add(tokenOf(body.link));
  return body;
}

export function acceptLink(link: string, body: object = {}) {
  const accepted = { name: 'Colleague', password: PASSWORD, ...body };
  return callAsBrowser<{ person: Person }>('POST', `/v1/auth/invitations/${tokenOf(link)}`, accepted);
}

/** Invites somebody, who accepts. */
export async function newColleague(by: SignedInPerson, given: Invited): Promise<SignedInPerson> {
  return signedIn(await acceptLink((await invite(by, given)).link));
}
