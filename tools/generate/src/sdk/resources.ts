import {
  errorGroupsOf,
  ERROR_GROUPS,
  isStreamed,
  type ErrorGroup,
  type RouteClass,
  type RouteSpec,
} from '@clew/contracts';
import { publicRoutes } from '@clew/contracts/all-routes';
import { z } from 'zod';

/** Route with a method in the SDK. */
export interface SdkRoute {
  spec: RouteSpec;
  /** Resources that its method is in, outermost first. */
  resources: string[];
  method: string;
}

/** Tree of resources, with the routes of their methods. */
export interface ResourceNode {
  routes: SdkRoute[];
  children: Map<string, ResourceNode>;
}

const SLOW: readonly (RouteClass | undefined)[] = ['inference', 'audio', 'stream'];

/** Returns every route that has a method in the SDK. */
export function sdkRoutes(): SdkRoute[] {
  return publicRoutes().flatMap((spec) => {
    if (spec.sdk === undefined) return [];
    const resources = spec.sdk.split('.');
    const method = resources.pop() as string;
    return [{ spec, resources, method }];
  });
}

export function resourceTree(): ResourceNode {
  const root: ResourceNode = { routes: [], children: new Map() };
  for (const route of sdkRoutes()) {
    let node = root;
    for (const name of route.resources) {
      const child = node.children.get(name) ?? { routes: [], children: new Map() };
      node.children.set(name, child);
      node = child;
    }
    node.routes.push(route);
  }
  return root;
}

/** Facts that a call of a route needs, in the form of the SDK's `Operation`. */
export function operationFacts({ spec }: SdkRoute) {
  const answer = streamOf(spec);
  const isWithoutProject =
    spec.access.kind !== 'public' && spec.service !== 'gateway' && !spec.path.includes('/:projectId');
  return {
    method: spec.method.toUpperCase(),
    path: spec.path,
    ...(takesArgument(spec) ? { body: true } : {}),
    ...(fileType(spec) === undefined ? {} : { file: fileType(spec) }),
    ...pageFacts(spec),
    ...answer,
    ...(spec.idempotent === true || spec.namedByKey === true ? { keyed: true } : {}),
    ...(isWithoutProject ? { projectHeader: true } : {}),
    ...(SLOW.includes(spec.routeClass) ? { slow: true } : {}),
  };
}

export function takesArgument({ body, ownBody }: RouteSpec): boolean {
  return body !== undefined || ownBody !== undefined;
}

/** Returns the first media type of a body that is a file, not a form and not JSON. */
export function fileType({ ownBody }: RouteSpec): string | undefined {
  const types = Object.entries(ownBody ?? {});
  return types.every(([, schema]) => schema === null) ? types[0]?.[0] : undefined;
}

/** Returns how an answer comes: piece by piece, or as the caller wants it. */
export function streamOf({ responses }: RouteSpec): { stream?: 'lines' | 'events'; either?: true } {
  const content = Object.values(responses).find(isStreamed)?.content ?? {};
  const isJson = 'application/json' in content;
  if ('text/event-stream' in content) return { stream: 'events', ...(isJson ? { either: true } : {}) };
  return 'application/jsonl' in content ? { stream: 'lines' } : {};
}

/** Members of a page, as paths: its things, and the cursor of the next page. */
interface PageMembers {
  list: string;
  cursor: string;
}

/** Returns where a page holds its things and its cursor; undefined if the route is no list. */
export function pageMembers({ responses }: RouteSpec): PageMembers | undefined {
  const response = responses[200];
  if (response === undefined || response === null || isStreamed(response)) return undefined;
  return membersOf(response);
}

/** Returns the members of a page, without a cursor that is where most have it. */
function pageFacts(spec: RouteSpec): Partial<PageMembers> {
  const { list, cursor } = pageMembers(spec) ?? {};
  return {
    ...(list === undefined ? {} : { list }),
    ...(cursor === undefined || cursor === 'nextCursor' ? {} : { cursor }),
  };
}

function membersOf(schema: z.ZodType): PageMembers | undefined {
  if (!(schema instanceof z.ZodObject)) return undefined;
  const members = Object.entries(schema.shape as Record<string, z.ZodType>);
  const list = members.find(([, member]) => member instanceof z.ZodArray)?.[0];
  const holder = members.find(([, member]) => member instanceof z.ZodObject && 'nextCursor' in member.shape)?.[0];
  if ('nextCursor' in schema.shape && list !== undefined) return { list, cursor: 'nextCursor' };
  if (holder === undefined) return undefined;
  if (list !== undefined) return { list, cursor: `${holder}.nextCursor` };
  const inner = membersOf(schema.shape[holder] as z.ZodType);
  return inner && { list: `${holder}.${inner.list}`, cursor: `${holder}.${inner.cursor}` };
}

/** Names of the types of the error codes that all routes of a kind share. */
export function errorTypes(): string {
  return (Object.keys(ERROR_GROUPS) as ErrorGroup[])
    .map((group) => `type ${typeOfGroup(group)} = ${ERROR_GROUPS[group].map((code) => `'${code}'`).join(' | ')};`)
    .join('\n');
}

/** Returns the type of the codes of a route's errors. */
export function errorTypeOf(spec: RouteSpec): string {
  const own = (spec.errors ?? []).map((code) => `'${code}'`);
  return [...errorGroupsOf(spec).map(typeOfGroup), ...own].join(' | ');
}

function typeOfGroup(group: ErrorGroup): string {
  return `${group.charAt(0).toUpperCase()}${group.slice(1)}Errors`;
}
