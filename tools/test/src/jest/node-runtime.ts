import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import type jestRuntime from 'jest-runtime';
import { setGlobals, type Globals } from './globals.ts';

const require = createRequire(import.meta.url);
const { default: Runtime } = require('jest-runtime') as typeof jestRuntime;
const GLOBALS_URL = new URL('globals.ts', import.meta.url).href;
/** Condition of package exports under which our packages answer with their sources. */
const SOURCES = 'clew-source';
/** Descriptions of the symbols under which Jest keeps the tests of a file, and what listens to their events. */
const KEPT = new Set<string | undefined>(['JEST_STATE_SYMBOL', 'EVENT_HANDLERS']);

registerHooks({
  resolve(specifier, context, nextResolve) {
    if (specifier === '@jest/globals') return { url: GLOBALS_URL, shortCircuit: true };
    return nextResolve(specifier, { ...context, conditions: [...context.conditions, SOURCES] });
  },
});

/** Test files that this process has run. */
const imported = new Set<string>();

/**
 * Jest runtime that loads test files as Node loads any module, so that a worker compiles and warms up each module once
 * and not once per test file (ADR 76). In exchange, modules cannot be mocked, and files in a worker share their state.
 */
export default class NodeRuntime extends Runtime {
  override unstable_shouldLoadAsEsm(): boolean {
    return true;
  }

  override async unstable_importModule(path: string): Promise<void> {
    // In watch mode a file runs again in the same process.
    const query = imported.has(path) ? `?run=${Date.now()}` : '';
    imported.add(path);
    await import(`${pathToFileURL(path).href}${query}`);
  }

  /** Loads the module by which Jest declares and runs the tests of one file: it is the only user of this method. */
  override requireInternalModule<T = unknown>(from: string): T {
    Reflect.deleteProperty(require.cache, from);
    for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
      if (KEPT.has(symbol.description)) Reflect.deleteProperty(globalThis, symbol);
    }
    return require(from) as T;
  }

  override setGlobalsForRuntime(globals: Parameters<InstanceType<typeof Runtime>['setGlobalsForRuntime']>[0]): void {
    super.setGlobalsForRuntime(globals);
    const { jestObjectFor } = this['jestGlobals'] as { jestObjectFor(from: string): unknown };
    setGlobals({ ...globals, jest: jestObjectFor.call(this['jestGlobals'], import.meta.filename) } as Globals);
  }
}
