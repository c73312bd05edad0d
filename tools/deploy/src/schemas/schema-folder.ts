import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { strict, strictDefinitions, type Schema } from './schema.ts';

/** Pattern by which kubeconform finds the schema of an object, in a folder that a function below has filled. */
export const schemaLocation = (folder: string) =>
  join(folder, '{{.Group}}_{{.ResourceAPIVersion}}_{{.ResourceKind}}.json');

interface Kind {
  group: string;
  version: string;
  kind: string;
}

/** Writes the schemas of Kubernetes' own objects, from the OpenAPI description in its source. */
export function writeKubernetesSchemas(folder: string, swaggerFile: string): void {
  const swagger = JSON.parse(readFileSync(swaggerFile, 'utf8')) as { definitions: Record<string, Schema> };
  const definitions = strictDefinitions(swagger.definitions);
  for (const [name, definition] of Object.entries(definitions)) {
    const kinds = (definition['x-kubernetes-group-version-kind'] ?? []) as Kind[];
    // Skips types with several kinds, such as options, which belong to every group.
    const [kind] = kinds;
    if (kind === undefined || kinds.length > 1 || definition.properties?.['metadata'] === undefined) continue;
    write(folder, kind, { $ref: `#/definitions/${name}`, definitions: reachable(definitions, name) });
  }
}

interface CustomResourceDefinition {
  kind?: string;
  spec: { group: string; names: { kind: string }; versions: { name: string; schema: { openAPIV3Schema: Schema } }[] };
}

/** Writes the schemas of custom objects, whose definitions are YAML files in a folder. */
export function writeCustomSchemas(folder: string, definitionsFolder: string): void {
  for (const file of readdirSync(definitionsFolder).filter((name) => name.endsWith('.yaml'))) {
    const text = readFileSync(join(definitionsFolder, file), 'utf8');
    const { kind, spec } = parse(text) as CustomResourceDefinition;
    if (kind !== 'CustomResourceDefinition') continue;
    for (const { name: version, schema } of spec.versions) {
      const { properties = {}, ...rest } = schema.openAPIV3Schema;
      // An API server knows the metadata of every object itself.
      const { metadata: _metadata, ...own } = properties;
      const checked = strict({ ...rest, properties: own });
      const all = { ...checked, properties: { ...checked.properties, metadata: { type: 'object' } } };
      write(folder, { group: spec.group, version, kind: spec.names.kind }, all);
    }
  }
}

function write(folder: string, { group, version, kind }: Kind, schema: Schema): void {
  // kubeconform uses the version as group for objects without a group.
  const name = `${group === '' ? version : group}_${version}_${kind.toLowerCase()}.json`;
  writeFileSync(join(folder, name), JSON.stringify(schema));
}

function reachable(definitions: Record<string, Schema>, first: string): Record<string, Schema> {
  const found: Record<string, Schema> = {};
  const waiting = [first];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const definition = definitions[name];
    if (definition === undefined || name in found) continue;
    found[name] = definition;
    const references = JSON.stringify(definition).matchAll(/"#\/definitions\/([^"]+)"/g);
    waiting.push(...[...references].map(([, referred = '']) => referred));
  }
  return found;
}
