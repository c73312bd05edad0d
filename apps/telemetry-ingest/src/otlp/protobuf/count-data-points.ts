import type { Body } from '../../body/body.ts';
import type { Range } from '../../json/json-writer.ts';
import { Pace, type Steps } from '../../steps.ts';
import { EntryCounter } from '../../records/limits.ts';
import { walk } from './decode-protobuf.ts';
import { FieldCursor } from './field-cursor.ts';

/**
 * Path to the data points in an ExportMetricsServiceRequest (metrics/v1/metrics.proto): request 1 -> resource metrics 2
 * -> scope metrics 2 -> metric -> gauge 5, sum 7, histogram 9, exponential histogram 10 or summary 11 -> data point 1.
 */
const PATH: readonly (readonly number[])[] = [[1], [2], [2], [5, 7, 9, 10, 11], [1]];

export async function countDataPoints(body: Body): Promise<number> {
  return await walk(new PointCounter(body).count({ start: 0, end: body.sizeBytes }, PATH));
}

class PointCounter {
  readonly #body: Body;
  readonly #pace = new Pace();
  readonly #entries = new EntryCounter();

  constructor(body: Body) {
    this.#body = body;
  }

  *count(message: Range, [fields = [], ...inner]: typeof PATH): Steps<number> {
    let count = 0;
    const cursor = new FieldCursor(this.#body, message);
    while (yield* cursor.next()) {
      if (!fields.includes(cursor.field)) continue;
      this.#entries.add();
      const wait = this.#pace.pause();
      if (wait !== undefined) yield wait;
      count += inner.length === 0 ? 1 : yield* this.count(cursor.content, inner);
    }
    return count;
  }
}
