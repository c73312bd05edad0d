/**
 * Memoizes a function by object, for values that several Rules read from a conversation, so that one more Rule adds
 * only its own cost. The object and the result must not be changed afterwards. An entry is dropped with its object.
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
