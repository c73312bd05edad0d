import type { RequestListener } from 'node:http';
import { createApi } from '@clew/http';
import type { Logger } from '@clew/runtime';
import { readWorkbench } from './workbench-files.ts';
import { workbenchRouter } from './workbench-router.ts';

export interface WorkbenchOptions {
  /** Folder of the built Workbench; undefined if none is served. */
  folder: string | undefined;
  publicUrl: string;
  logger: Logger;
}

/** Listener that serves the Workbench; throws ConfigError if its folder is missing or incomplete. */
export function createWorkbench({ folder, publicUrl, logger }: WorkbenchOptions): RequestListener | undefined {
  if (folder === undefined) return undefined;
  const operations = [workbenchRouter(readWorkbench(folder), publicUrl)];
  return createApi({ authenticate: () => undefined, logger, routes: [], operations });
}
