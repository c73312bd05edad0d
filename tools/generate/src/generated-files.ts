import { join } from 'node:path';
import { allRoutes } from '@clew/contracts/all-routes';
import { generatedDeployFiles } from '@clew/deploy';
import { generatedEnvExample } from './env-example.ts';
import { openApiDocument } from './openapi/document.ts';
import { generatedSdk } from './sdk/emit.ts';
import { readApps } from './readme/apps.ts';
import { generatedReadme } from './readme/readmes.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** Every file that is generated, fully or in part: path from the repository root to expected content. */
export async function generatedFiles(): Promise<Map<string, string>> {
  const readmes = (await readApps()).map(async (app) => [app.readme, await generatedReadme(app, allRoutes())] as const);
  return new Map([
    ['docs/openapi/v1.json', `${JSON.stringify(openApiDocument(), null, 2)}\n`],
    ['.env.example', generatedEnvExample()],
    ...(await Promise.all(readmes)),
    ...(await generatedSdk(ROOT)),
    ...(await generatedDeployFiles()),
  ]);
}
