import { honoursIfMatch, type RouteSpec } from '@clew/contracts';
import { format, resolveConfig } from 'prettier';
import { openApiDocument } from '../openapi/document.ts';
import {
  errorTypeOf,
  errorTypes,
  fileType,
  pageMembers,
  operationFacts,
  resourceTree,
  streamOf,
  takesArgument,
  type ResourceNode,
  type SdkRoute,
} from './resources.ts';
import { apiTypes, itemTypeOf, type ApiDocument } from './types.ts';

const FOLDER = 'libs/sdk/src/generated';
const NOTICE = '// Generated from the route specs by `npm run generate`; not to be edited.\n';

/** Files of the SDK that are made from the route specs: tables of operations, types of methods, types of the API. */
export async function generatedSdk(root: string): Promise<[file: string, content: string][]> {
  const document = JSON.parse(JSON.stringify(openApiDocument())) as ApiDocument;
  const tree = resourceTree();
  const files: [string, string][] = [
    ['operations.gen.ts', operationsFile(tree)],
    ['methods.gen.ts', methodsFile(tree, document)],
    ['types.gen.ts', await apiTypes(document)],
  ];
  const options = await resolveConfig(`${root}/${FOLDER}/operations.gen.ts`);
  return await Promise.all(
    files.map(
      async ([name, content]) =>
        [`${FOLDER}/${name}`, await format(`${NOTICE}${content}`, { ...options, parser: 'typescript' })] as [
          string,
          string,
        ],
    ),
  );
}

function operationsFile({ children }: ResourceNode): string {
  const resources = [...children].map(
    ([name, node]) => `export const ${name}: Resource<${typeOf([name])}> = ${JSON.stringify(tableOf(node))};`,
  );
  const imports = [...children.keys()].map((name) => typeOf([name])).join(', ');
  return `import type { Resource } from '../resource.ts';\nimport type { ${imports} } from './methods.gen.ts';\n\n${resources.join('\n\n')}`;
}

function tableOf({ routes, children }: ResourceNode): object {
  const rows = routes.flatMap((route) => {
    const facts = operationFacts(route);
    const { ended } = route.spec;
    return [[route.method, facts] as const, ...(ended === undefined ? [] : [['wait', { ...facts, ended }] as const])];
  });
  return Object.fromEntries([...rows, ...[...children].map(([name, node]) => [name, tableOf(node)] as const)]);
}

function methodsFile(root: ResourceNode, document: ApiDocument): string {
  const interfaces: string[] = [];
  const visit = (path: string[], { routes, children }: ResourceNode) => {
    const members = [
      ...routes.flatMap((route) => methodsOf(route, document)),
      ...[...children.keys()].map((name) => `readonly ${name}: ${typeOf([...path, name])};`),
    ];
    if (path.length > 0) interfaces.push(`export interface ${typeOf(path)} {\n${members.join('\n')}\n}`);
    for (const [name, node] of children) visit([...path, name], node);
  };
  visit([], root);
  const text = interfaces.join('\n\n');
  const used = ['ApiCall', 'EitherCall', 'PageCall', 'StreamCall'].filter((name) => text.includes(`${name}<`));
  const files = { ApiCall: 'api', EitherCall: 'either', PageCall: 'page', StreamCall: 'stream' } as Record<
    string,
    string
  >;
  return [
    `import type { UploadBody } from '../bodies/encode-body.ts';`,
    ...used.map((name) => `import type { ${name} } from '../calls/${files[name] ?? ''}-call.ts';`),
    `import type { WaitOptions } from '../calls/wait.ts';`,
    `import type { ItemOf, Params } from '../methods.ts';`,
    `import type * as Api from './types.gen.ts';\n`,
    errorTypes(),
    text,
  ].join('\n');
}

function typeOf(path: readonly string[]): string {
  return `${path.map(capitalised).join('')}Methods`;
}

function capitalised(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

function methodsOf(route: SdkRoute, document: ApiDocument): string[] {
  const { spec, method } = route;
  const api = `Api.${capitalised(spec.operationId)}`;
  const ids = pathArguments(spec.path).map((name) => `${name}: string${name === 'generation' ? ' | number' : ''}`);
  const body = takesArgument(spec) ? [bodyArgument(spec, api, document)] : [];
  const params = `params${needsQuery(spec, document) ? '' : '?'}: Params<${api}Data>`;
  const call = `${method}(${[...ids, ...body, params].join(', ')}): ${callType(spec, api, document)};`;
  const wait = `wait(${[...ids, `options?: WaitOptions<${api}Response>`].join(', ')}): Promise<${api}Response>;`;
  return [
    `/**\n * ${spec.summary}: \`${spec.method.toUpperCase()} ${spec.path}\`.${describeTag(spec)}\n */\n${call}`,
    ...(spec.ended === undefined
      ? []
      : [`/** Waits until that has ended: ${spec.ended.values.join(', ')}. */\n${wait}`]),
  ];
}

function describeTag(spec: RouteSpec): string {
  return honoursIfMatch(spec) ? ' Takes `ifMatch`.' : '';
}

function pathArguments(path: string): string[] {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as string);
  return path.endsWith('/:projectId') ? names : names.filter((name) => name !== 'projectId');
}

function bodyArgument(spec: RouteSpec, api: string, document: ApiDocument): string {
  if (fileType(spec) !== undefined) return 'file: UploadBody';
  const types = Object.keys(spec.ownBody ?? { 'application/json': null });
  const form = types.includes('multipart/form-data') ? ['FormData'] : [];
  const json = types.includes('application/json') ? [`${api}Data['body']`] : [];
  const isOptional = operationIn(document, spec).requestBody?.required !== true;
  return `body${isOptional ? '?' : ''}: ${[...json, ...form].join(' | ')}`;
}

function needsQuery(spec: RouteSpec, document: ApiDocument): boolean {
  const { parameters = [] } = operationIn(document, spec);
  return parameters.some((parameter) => parameter.in === 'query' && parameter.required === true);
}

function operationIn(document: ApiDocument, { path, method }: RouteSpec) {
  const operation = document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method];
  if (operation === undefined) throw new Error(`The document lacks ${method} ${path}`);
  return operation;
}

function callType(spec: RouteSpec, api: string, document: ApiDocument): string {
  const errors = errorTypeOf(spec);
  const page = pageMembers(spec);
  const { stream, either } = streamOf(spec);
  const item = itemTypeOf(document, spec);
  if (either === true) return `EitherCall<${api}Response, ${item}, ${errors}>`;
  if (stream !== undefined) return `StreamCall<${item}, ${errors}>`;
  if (page === undefined) return `ApiCall<${api}Response, ${errors}>`;
  return `PageCall<${api}Response, ItemOf<${api}Response, '${page.list}'>, ${errors}>`;
}
