import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Worker } from 'node:worker_threads';
import ts from 'typescript';
import type { ConstructorCall } from './load-files.ts';

export const ROOT = join(import.meta.dirname, '../../../..');

/** Regular expression in the sources of the product. */
export interface ProductPattern {
  /** File and line, from the root of the repository. */
  place: string;
  source: string;
  flags: string;
}

export interface FoundPatterns {
  literals: ProductPattern[];
  /** Places that build a pattern from parts. */
  built: string[];
}

/** Source files of the product: all sources of apps and libraries except tests and test support. */
export function productFiles(): string[] {
  const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'apps', 'libs'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return tracked.split('\n').filter((path) => {
    const isSource = /^(?:apps|libs)\/[^/]+\/src\/.*\.tsx?$/.test(path);
    return isSource && !/test\.tsx?$|\/test-support\/|^libs\/testing(?:-host)?\//.test(path);
  });
}

/** Every pattern of a source file, and every place that builds one. */
export function patternsIn(path: string): FoundPatterns {
  return patternsOf(path, readFileSync(join(ROOT, path), 'utf8'));
}

/** Patterns of a source text. */
export function patternsOf(path: string, source: string): FoundPatterns {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const found: FoundPatterns = { literals: [], built: [] };
  const visit = (node: ts.Node): void => {
    const place = () => `${path}:${file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1}`;
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      found.literals.push({ place: place(), source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    }
    if (isConstructor(node) || isPatternAsText(node)) found.built.push(place());
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/**
 * Whether a node uses the RegExp constructor in a way that may build a pattern; passing it on counts, since nobody can
 * tell.
 */
function isConstructor(node: ts.Node): boolean {
  if (!ts.isIdentifier(node) || node.text !== 'RegExp' || ts.isTypeReferenceNode(node.parent)) return false;
  const isAsked =
    ts.isBinaryExpression(node.parent) && node.parent.operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword;
  return !isAsked;
}

const TAKE_PATTERNS: ReadonlySet<string> = new Set(['match', 'matchAll', 'search']);

/** Whether a node passes text to a string method that turns it into a pattern implicitly. */
function isPatternAsText(node: ts.Node): boolean {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  const [first] = node.arguments;
  if (first === undefined || !TAKE_PATTERNS.has(node.expression.name.text)) return false;
  return ts.isStringLiteralLike(first) || ts.isTemplateExpression(first) || ts.isBinaryExpression(first);
}

/**
 * Patterns that files build while they are loaded, and the places that build them. A thread of its own loads them, since
 * other tests may have loaded them here before.
 */
export async function patternsBuiltBy(paths: readonly string[]): Promise<ProductPattern[]> {
  const thread = new Worker(new URL('load-files.ts', import.meta.url), {
    workerData: paths.map((path) => join(ROOT, path)),
    execArgv: ['--conditions=clew-source'],
  });
  const [calls] = (await once(thread, 'message')) as [ConstructorCall[]];
  return calls.flatMap(({ stack, source, flags }) => {
    const place = placeOfCaller(stack);
    return place === undefined ? [] : [{ place, source, flags }];
  });
}

/** File and line of the product that called the constructor; undefined if a third-party library called it. */
function placeOfCaller(stack: string): string | undefined {
  const [, , caller = ''] = stack.split('\n');
  const [, path, line] = /(?:file:\/\/)?(\/[^():]+):(\d+):\d+\)?$/.exec(caller) ?? [];
  if (path === undefined || !path.startsWith(ROOT) || path.includes('/node_modules/')) return undefined;
  return `${relative(ROOT, path)}:${line}`;
}
