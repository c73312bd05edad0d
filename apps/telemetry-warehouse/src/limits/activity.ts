/** Counts the work that is under way. */
export interface Activity {
  during<Result>(work: () => Promise<Result>): Promise<Result>;
  isBusy(): boolean;
}

export function createActivity(): Activity {
  let underWay = 0;
  return {
    async during(work) {
      underWay += 1;
      try {
        return await work();
      } finally {
        underWay -= 1;
      }
    },
    isBusy: () => underWay > 0,
  };
}
