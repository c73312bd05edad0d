import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';

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
 * Patterns that files build while they are loaded, and the places that build them. `load` imports a file as the product
 * does; meanwhile the RegExp constructor is replaced.
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

/** File and line of the product that called the constructor; undefined if a third-party library called it. */
function placeOfCaller(): string | undefined {
  const [, , , caller = ''] = (new Error().stack ?? '').split('\n');
  const [, path, line] = /(\/[^():]+):(\d+):\d+\)?$/.exec(caller) ?? [];
  if (path === undefined || !path.startsWith(ROOT) || path.includes('/node_modules/')) return undefined;
  return `${relative(ROOT, path)}:${line}`;
}
