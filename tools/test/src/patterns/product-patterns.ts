import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';

export const ROOT = join(import.meta.dirname, '../../../..');

/** A pattern that stands in the sources of the product. */
export interface ProductPattern {
  /** File and line, from the root of the repository. */
  place: string;
  source: string;
  flags: string;
}

export interface FoundPatterns {
  literals: ProductPattern[];
  /** Places where a pattern is put together from parts. */
  built: string[];
}

/** The files of which the product consists: all sources of apps and libraries but tests and what tests stand on. */
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

/** The same of a source that was read. */
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

/** The constructor of patterns where a pattern may be made of it: also where it is handed on, so that nobody can tell. */
function isConstructor(node: ts.Node): boolean {
  if (!ts.isIdentifier(node) || node.text !== 'RegExp' || ts.isTypeReferenceNode(node.parent)) return false;
  const isAsked =
    ts.isBinaryExpression(node.parent) && node.parent.operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword;
  return !isAsked;
}

const TAKE_PATTERNS: ReadonlySet<string> = new Set(['match', 'matchAll', 'search']);

/** A text where methods of texts take a pattern: they make one of it, and nobody sees it. */
function isPatternAsText(node: ts.Node): boolean {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  const [first] = node.arguments;
  if (first === undefined || !TAKE_PATTERNS.has(node.expression.name.text)) return false;
  return ts.isStringLiteralLike(first) || ts.isTemplateExpression(first) || ts.isBinaryExpression(first);
}

/**
 * The patterns that files build while they are loaded, at the places where they do. `load` imports a file as the product
 * does; the constructor of patterns is another one meanwhile.
 */
export async function patternsBuiltBy(
  paths: readonly string[],
  load: (path: string) => Promise<unknown>,
): Promise<ProductPattern[]> {
  const seen: ProductPattern[] = [];
  const Original = globalThis.RegExp;
  globalThis.RegExp = new Proxy(Original, {
    construct(target, given: [string | RegExp, string?]) {
      const pattern = new target(...given);
      const place = placeOfCaller();
      if (place !== undefined) seen.push({ place, source: pattern.source, flags: pattern.flags });
      return pattern;
    },
  });
  try {
    for (const path of paths) await load(join(ROOT, path));
  } finally {
    globalThis.RegExp = Original;
  }
  return seen;
}

/** The file and line of the product that called the constructor; undefined where it was a library of others. */
function placeOfCaller(): string | undefined {
  const [, , , caller = ''] = (new Error().stack ?? '').split('\n');
  const [, path, line] = /(\/[^():]+):(\d+):\d+\)?$/.exec(caller) ?? [];
  if (path === undefined || !path.startsWith(ROOT) || path.includes('/node_modules/')) return undefined;
  return `${relative(ROOT, path)}:${line}`;
}
