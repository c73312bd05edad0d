import type { ResourceTable } from './operation.ts';

/** Table of a resource, with the type of its methods. */
export type Resource<Methods> = ResourceTable & { readonly '~methods'?: Methods };

/** Methods of resources. */
export type MethodsOf<Resources> = {
  readonly [Name in keyof Resources]: Resources[Name] extends Resource<infer Methods> ? Methods : never;
};
