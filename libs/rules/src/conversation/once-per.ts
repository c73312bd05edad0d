/**
 * The same function, computed once for each object and forgotten with it: for what several Rules read in a conversation,
 * so that one more Rule adds its own computing alone. What is given is not to be changed afterwards, nor what comes back.
 */
export function oncePer<Subject extends object, Result>(
  compute: (subject: Subject) => Result,
): (subject: Subject) => Result {
  const known = new WeakMap<Subject, { result: Result }>();
  return (subject) => {
    let entry = known.get(subject);
    if (entry === undefined) {
      entry = { result: compute(subject) };
      known.set(subject, entry);
    }
    return entry.result;
  };
}
