/** String or number in a call's arguments, with the top-level parameter that contains it. */
export interface ArgumentValue {
  readonly parameter: string;
  readonly text: string;
}

const MAX_VALUES = 200;
const MAX_DEPTH = 8;

export function argumentValues(args: unknown): ArgumentValue[] {
  const values: ArgumentValue[] = [];
  const walk = (value: unknown, parameter: string, depth: number): void => {
    if (values.length >= MAX_VALUES || depth > MAX_DEPTH) return;
    if (typeof value === 'string' || typeof value === 'number') {
      values.push({ parameter, text: String(value) });
    } else if (Array.isArray(value)) {
      for (const item of value.slice(0, MAX_VALUES)) walk(item, parameter, depth + 1);
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value).slice(0, MAX_VALUES)) {
        walk(item, depth === 0 ? key : parameter, depth + 1);
      }
    }
  };
  walk(args, '', 0);
  return values;
}
