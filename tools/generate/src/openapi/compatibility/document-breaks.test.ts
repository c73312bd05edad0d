import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { openApiDocument } from '../document.ts';
import { breaksOf, type ApiDescription } from './document-breaks.ts';
import type { Schema } from './schema-breaks.ts';

const current = JSON.parse(JSON.stringify(openApiDocument())) as ApiDescription;

const TEXT: Schema = { type: 'string' };
const object = (properties: Record<string, Schema>, ...required: string[]): Schema => ({
  ...{ type: 'object', properties, required, additionalProperties: false },
});

interface Parts {
  body: Schema;
  answer: Schema;
  query: { name: string; required?: boolean; schema: Schema }[];
}

const PARTS: Parts = {
  body: object(
    { name: TEXT, kind: { type: 'string', enum: ['a', 'b'] }, tags: { type: 'array', items: TEXT } },
    'name',
  ),
  answer: object(
    { id: TEXT, state: { type: 'string', enum: ['on', 'off'] }, count: { type: ['integer', 'null'] } },
    'id',
  ),
  query: [{ name: 'limit', schema: { type: 'integer' } }],
};

function describing(parts: Partial<Parts> = {}): ApiDescription {
  const { body, answer, query } = { ...PARTS, ...parts };
  const content = (schema: Schema) => ({ 'application/json': { schema } });
  return {
    paths: {
      '/things': {
        post: {
          parameters: query.map((each) => ({ in: 'query', ...each })),
          requestBody: { required: true, content: content({ $ref: '#/components/schemas/NewThing' }) },
          responses: { 201: { content: content(answer), headers: { ETag: {} } }, 400: {} },
        },
      },
    },
    components: { schemas: { NewThing: body } },
  };
}

function without(schema: Schema, name: string): Schema {
  const { [name]: _gone, ...properties } = schema.properties ?? {};
  return { ...schema, properties };
}

function withMember(schema: Schema, members: Record<string, Schema>, ...required: string[]): Schema {
  const properties = { ...schema.properties, ...members };
  return { ...schema, properties, required: [...(schema.required ?? []), ...required] };
}

const { body, answer, query } = PARTS;

describe('what a later description may not do', () => {
  it.each<[string, Partial<Parts>]>([
    ['query limit: is gone', { query: [] }],
    ['query limit: was integer, is string', { query: [{ name: 'limit', schema: TEXT }] }],
    ['query limit: is required now', { query: [{ name: 'limit', schema: { type: 'integer' }, required: true }] }],
    ['query sort: is required now', { query: [...query, { name: 'sort', schema: TEXT, required: true }] }],
    ['body.kind: is gone', { body: without(body, 'kind') }],
    ['body.kind: no longer "b"', { body: withMember(body, { kind: { type: 'string', enum: ['a', 'c'] } }) }],
    ['body.name: takes only "x" now', { body: withMember(body, { name: { type: 'string', const: 'x' } }) }],
    ['body.kind: is required now', { body: withMember(body, {}, 'kind') }],
    ['body.owner: is required now', { body: withMember(body, { owner: TEXT }, 'owner') }],
    [
      'body.tags[]: was string, is integer',
      { body: withMember(body, { tags: { type: 'array', items: { type: 'integer' } } }) },
    ],
    ['body.name: maxLength is 5 now', { body: withMember(body, { name: { type: 'string', maxLength: 5 } }) }],
    ['body.name: minLength is 1 now', { body: withMember(body, { name: { type: 'string', minLength: 1 } }) }],
    ['body.name: has another pattern now', { body: withMember(body, { name: { type: 'string', pattern: '^a' } }) }],
    ['body.tags: maxItems is 9 now', { body: withMember(body, { tags: { type: 'array', items: TEXT, maxItems: 9 } }) }],
    ['query limit: maximum is 10 now', { query: [{ name: 'limit', schema: { type: 'integer', maximum: 10 } }] }],
    ['body.kind: "b" is out of bounds now', { body: withMember(body, { kind: { type: 'string', pattern: '^a' } }) }],
    ['201.state: is gone', { answer: without(answer, 'state') }],
    ['201.id: was string, is integer', { answer: withMember(answer, { id: { type: 'integer' } }) }],
    ['201.id: may be null now', { answer: withMember(answer, { id: { type: ['string', 'null'] } }) }],
    ['201.count: was null, is integer', { answer: withMember(answer, { count: { type: 'integer' } }) }],
    ['201.id: may be absent now', { answer: { ...answer, required: [] } }],
    ['201.state: no longer "on", "off"', { answer: withMember(answer, { state: { type: 'string', enum: ['up'] } }) }],
    ['201.id: this check cannot read "allOf"', { answer: withMember(answer, { id: { allOf: [TEXT] } as Schema }) }],
  ])('%s', (text, parts) => {
    expect(breaksOf(describing(), describing(parts))).toEqual([`POST /things: ${text}`]);
  });

  it('takes operations, statuses, kinds of content and headers away', () => {
    const { post } = describing().paths['/things']!;
    const withPost = (parts: object) => ({ paths: { '/things': { post: { ...post!, ...parts } } }, components: {} });
    const found = (later: ApiDescription) => breaksOf(describing(), { ...later, components: describing().components! });
    expect(found({ paths: {} })).toEqual(['POST /things: is gone']);
    expect(found({ paths: { '/things': { get: post! } } })).toEqual(['POST /things: is gone']);
    const responses = { 201: { content: { 'text/csv': {} } } };
    expect(found(withPost({ responses }))).toEqual([
      'POST /things: 201 header ETag: is gone',
      'POST /things: 201: application/json is gone',
      'POST /things: 400 is gone',
    ]);
    expect(found(withPost({ requestBody: undefined }))).toEqual(['POST /things: the body: is gone']);
  });
});

describe('a stream', () => {
  const streaming = (item?: Schema, schema?: Schema): ApiDescription => {
    const stream = { ...(schema && { schema }), ...(item && { 'x-itemSchema': item }) };
    return { paths: { '/things': { get: { responses: { 200: { content: { 'application/jsonl': stream } } } } } } };
  };

  it('may be described as the text that it is, and its items for the first time', () => {
    expect(breaksOf(streaming(), streaming(answer, TEXT))).toEqual([]);
  });

  it('keeps what its items hold', () => {
    const breaks = breaksOf(streaming(answer, TEXT), streaming(without(answer, 'state'), TEXT));
    expect(breaks).toEqual(['GET /things: 200, an item.state: is gone']);
    expect(breaksOf(streaming(answer, TEXT), streaming(undefined, TEXT))).toEqual([
      'GET /things: 200, an item: may be any value now',
    ]);
  });
});

describe('what a later description may do', () => {
  it.each<[string, Partial<Parts>]>([
    ['take another parameter', { query: [...query, { name: 'sort', schema: TEXT }] }],
    ['take another member', { body: withMember(body, { owner: TEXT }) }],
    ['take another value of a member', { body: withMember(body, { kind: { type: 'string', enum: ['a', 'b', 'c'] } }) }],
    ['take null as well', { body: withMember(body, { name: { anyOf: [TEXT, { type: 'null' }] } }) }],
    ['no longer demand a member', { body: { ...body, required: [] } }],
    ['answer another member, always there', { answer: withMember(answer, { name: TEXT }, 'name') }],
    [
      'answer another value of a member',
      { answer: withMember(answer, { state: { type: 'string', enum: ['on', 'off', 'up'] } }) },
    ],
    [
      'take any text within bounds that hold all texts of before',
      { body: withMember(body, { kind: { type: 'string', minLength: 1, maxLength: 1, pattern: '^[a-z]' } }) },
    ],
    ['answer within other bounds', { answer: withMember(answer, { id: { type: 'string', maxLength: 5 } }) }],
    ['answer a member always', { answer: withMember(answer, {}, 'state') }],
  ])('%s', (_, parts) => {
    expect(breaksOf(describing(), describing(parts))).toEqual([]);
  });

  it('have variants more, each told apart by a constant; but none less', () => {
    const variant = (kind: string, members: Record<string, Schema>): Schema =>
      object({ kind: { type: 'string', const: kind }, ...members }, 'kind', ...Object.keys(members));
    const [one, other] = [variant('a', { text: TEXT }), variant('b', { text: TEXT })];
    const [few, many] = [describing({ answer: { oneOf: [one] } }), describing({ answer: { oneOf: [other, one] } })];
    expect(breaksOf(few, many)).toEqual([]);
    expect(breaksOf(many, few)).toEqual(['POST /things: 201.kind: no longer "b"']);
  });

  it('refer to itself', () => {
    const tree = (leaf: Schema) =>
      object({ leaf, children: { type: 'array', items: { anyOf: [{ $ref: '#/components/schemas/NewThing' }] } } });
    expect(breaksOf(describing({ body: tree(TEXT) }), describing({ body: tree(TEXT) }))).toEqual([]);
    expect(breaksOf(describing({ body: tree(TEXT) }), describing({ body: tree({ type: 'null' }) }))).toEqual([
      'POST /things: body.leaf: was string, is null',
      'POST /things: body.children[].leaf: was string, is null',
    ]);
  });
});

describe('a webhook', () => {
  const sending = (schema: Schema): ApiDescription => ({
    paths: {},
    webhooks: {
      'thing.changed': {
        post: { requestBody: { content: { 'application/json': { schema } } }, responses: { 200: {} } },
      },
    },
  });

  it('may tell more, and nothing less', () => {
    const [few, many] = [object({ id: TEXT }, 'id'), object({ id: TEXT, name: TEXT }, 'id', 'name')];
    expect(breaksOf(sending(few), sending(many))).toEqual([]);
    expect(breaksOf(sending(many), sending(few))).toEqual(['POST thing.changed: body.name: is gone']);
    expect(breaksOf(sending(few), { paths: {} })).toEqual(['POST thing.changed: is gone']);
  });
});

describe('the description of today', () => {
  it('keeps to itself', () => {
    expect(breaksOf(current, current)).toEqual([]);
  });

  it('is read to its last member: whichever is taken away is found', () => {
    const places = membersOf(current, []);
    expect(places.length).toBeGreaterThan(1_000);
    fc.assert(
      fc.property(fc.constantFrom(...places), (place) => {
        const later = structuredClone(current) as unknown as Record<string, unknown>;
        const parent = place.slice(0, -1).reduce<Record<string, unknown>>((node, name) => node[name] as never, later);
        Reflect.deleteProperty(parent, place.at(-1) as string);
        expect(breaksOf(current, later as unknown as ApiDescription)).not.toEqual([]);
      }),
      { numRuns: 8 },
    );
  });
});

/** Paths to all operations, statuses, and object members. */
function membersOf(node: unknown, place: readonly string[]): string[][] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([name, value]) => {
    const [parent, here] = [place.at(-1), [...place, name]];
    const isMember =
      parent === 'properties' ||
      (parent === 'responses' && place[0] === 'paths') ||
      (place.length === 2 && place[0] === 'paths');
    return [...(isMember ? [here] : []), ...membersOf(value, here)];
  });
}
