import type { CallOptions } from './options.ts';

/** Query of an operation: a text may also be a number, or a list whose values are then joined by commas. */
export type Query<Data> = Data extends { query?: infer Q }
  ? [NonNullable<Q>] extends [never]
    ? unknown
    : { [Name in keyof NonNullable<Q>]: Loose<NonNullable<Q>[Name]> | NothingIfOptional<NonNullable<Q>, Name> }
  : unknown;

/** Members without a value are left out of the query. */
type NothingIfOptional<Q, Name extends keyof Q> = object extends Pick<Q, Name> ? undefined : never;

type Loose<Value> = string extends Value ? Value | readonly (string | number)[] : Value;

/** Last argument of a method: its query and its options in one object. */
export type Params<Data = unknown> = Query<Data> & CallOptions;

/** Things on the pages of a list. */
export type ItemOf<Body, Member extends string> = Member extends `${infer Head}.${infer Rest}`
  ? Head extends keyof Body
    ? ItemOf<Body[Head], Rest>
    : never
  : Member extends keyof Body
    ? Body[Member] extends readonly (infer Item)[]
      ? Item
      : never
    : never;
