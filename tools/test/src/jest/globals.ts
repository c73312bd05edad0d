import type * as Jest from '@jest/globals';

/** Functions of Jest that test files import from `@jest/globals`. */
export type Globals = Omit<typeof Jest, 'jest'> & { jest: unknown };

const HELD = Symbol.for('clew.jest-globals');
const holder = globalThis as { [HELD]?: Globals };

/** Sets the functions that belong to the test file which runs now. */
export function setGlobals(globals: Globals): void {
  holder[HELD] = globals;
}

/**
 * Helpers that many test files share are loaded once, while each file has functions of its own: one that stands for
 * those of the file which runs now.
 */
function current<Name extends keyof Globals>(name: Name): Globals[Name] {
  const target = () => {
    const held = holder[HELD];
    if (held === undefined) throw new Error('@jest/globals is there in test files alone');
    return held[name] as object;
  };
  return new Proxy(Function.prototype as object, {
    get: (_, member) => Reflect.get(target(), member) as unknown,
    apply: (_, self, args) => Reflect.apply(target() as () => unknown, self, args),
  }) as Globals[Name];
}

export const afterAll = current('afterAll');
export const afterEach = current('afterEach');
export const beforeAll = current('beforeAll');
export const beforeEach = current('beforeEach');
export const describe = current('describe');
export const expect = current('expect');
export const it = current('it');
export const test = current('test');
export const jest = current('jest');
