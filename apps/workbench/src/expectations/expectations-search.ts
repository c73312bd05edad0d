/** Tabs of the list, the queue first. */
export const EXPECTATION_VIEWS = ['proposed', 'active', 'off'] as const;
export type ExpectationView = (typeof EXPECTATION_VIEWS)[number];

export interface ExpectationsSearch {
  readonly view?: ExpectationView;
  /** Expectation that is open beside the list. */
  readonly id?: string;
}

/** Reads the state from an address; whatever is not known is left out. */
export function parseExpectationsSearch(given: Readonly<Record<string, unknown>>): ExpectationsSearch {
  const view = EXPECTATION_VIEWS.find((each) => each === given['view']);
  const id = given['id'];
  return {
    ...(view === undefined ? {} : { view }),
    ...(typeof id === 'string' && id !== '' && id.length <= 100 ? { id } : {}),
  };
}
