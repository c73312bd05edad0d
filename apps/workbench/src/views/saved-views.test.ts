import { expect, it } from '@jest/globals';
import { MAX_VIEWS, nameProblem, parseViews, storageName, withoutView, withView } from './saved-views.ts';

const many = Array.from({ length: MAX_VIEWS }, (_, at) => ({ name: `View ${at}`, search: '' }));

it.each([null, '', '{', '{}', '[1, null, {"name":""}, {"name":"a"}, {"name":"a","search":3}]'])(
  'takes none from %j, which no version has stored',
  (stored) => {
    expect(parseViews(stored)).toEqual([]);
  },
);

it('keeps views in the order of their names, each name once', () => {
  const first = withView([], { name: 'Mine', search: '?assignee=me' });
  const two = withView(first, { name: 'Critical', search: '?severity=critical' });
  expect(two.map(({ name }) => name)).toEqual(['Critical', 'Mine']);
  const replaced = withView(two, { name: 'Mine', search: '' });
  expect(replaced).toHaveLength(2);
  expect(parseViews(JSON.stringify(replaced))).toEqual(replaced);
  expect(withoutView(replaced, 'Mine').map(({ name }) => name)).toEqual(['Critical']);
});

it('says why a name cannot be taken', () => {
  expect(nameProblem([], '  ')).toBe('Name the view');
  expect(nameProblem(many, 'One more')).toMatch(/30 already/);
  expect(nameProblem(many, 'View 3')).toBeUndefined();
});

it('keeps those of each person, project and list apart', () => {
  const names = [
    storageName('findings', 'p', 'a'),
    storageName('conversations', 'p', 'a'),
    storageName('findings', 'q', 'a'),
    storageName('findings', 'p', 'b'),
  ];
  expect(new Set(names).size).toBe(4);
});
