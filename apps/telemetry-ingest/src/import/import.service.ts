import type { ImportReport, PrivacySettings } from '@clew/contracts';
import { AppError, isUtf16, LineCutter, type Clock, type Line } from '@clew/kernel';
import type { ByteBudget, RequestBytes } from '../body/byte-budget.ts';
import { RecordRefused } from '../records/limits.ts';
import type { OpenRecordPublisher, RecordPublisher } from '../publish/record-publisher.ts';
import type { SpanOrigin } from '../publish/span-message.ts';
import type { ImportedConversation } from './imported-conversation.ts';
import { parseLine, wholeLine, type LineProblem } from './parse-line.ts';
import { IMPORT_GROUP, toSpan, type ImportTarget } from './to-span.ts';

export interface ImportDependencies {
  openPublisher: OpenRecordPublisher;
  /** Throws QUOTA_EXCEEDED if a quota of the project is known to be used up. */
  requireOpen(projectId: string): void;
  /** Returns the privacy settings of a project, if it has any. */
  settingsOf(projectId: string): Promise<PrivacySettings | undefined>;
  budget: ByteBudget;
  clock: Clock;
  maxLineBytes: number;
  /** Time for which an import waits while the queue is full; to start it again would be worse. */
  patienceMs: number;
}

export type ImportConversations = (body: AsyncIterable<Buffer>, origin: SpanOrigin) => Promise<ImportReport>;

const MAX_REPORTED_REFUSALS = 1_000;
/** Copies of a line in memory: its bytes and, briefly, its text. */
const COPIES_OF_A_LINE = 2;
const EXPECTED_BYTES = 1024 * 1024;

/** Imports conversations line by line; good lines are kept whatever the others contain. */
export function createImportService(deps: ImportDependencies): ImportConversations {
  return async (body, origin) => {
    deps.requireOpen(origin.projectId);
    const salt = (await deps.settingsOf(origin.projectId))?.salt;
    const held = deps.budget.open(origin.projectId);
    const options = {
      origin,
      kind: 'spans',
      expectedBytes: EXPECTED_BYTES,
      held,
      patienceMs: deps.patienceMs,
    } as const;
    const records = deps.openPublisher(options);
    try {
      const run = new ImportRun(deps, { projectId: origin.projectId, salt }, records, held);
      await run.readAll(body);
      return run.report;
    } finally {
      await records.settled();
      held.release();
    }
  };
}

class ImportRun {
  readonly report: ImportReport = { imported: 0, refusedCount: 0, refused: [] };
  readonly #clock: Clock;
  readonly #lines: LineCutter;
  readonly #target: ImportTarget;
  readonly #records: RecordPublisher;
  readonly #held: RequestBytes;

  constructor(deps: ImportDependencies, target: ImportTarget, records: RecordPublisher, held: RequestBytes) {
    this.#clock = deps.clock;
    this.#lines = new LineCutter(deps.maxLineBytes);
    this.#target = target;
    this.#records = records;
    this.#held = held;
  }

  async readAll(body: AsyncIterable<Buffer>): Promise<void> {
    let isFirst = true;
    try {
      for await (const chunk of body) {
        if (isFirst && isUtf16(chunk)) throw new AppError('MALFORMED_BODY', 'The file is UTF-16; send it as UTF-8');
        isFirst = false;
        for (const line of this.#lines.cut(chunk)) await this.#take(line);
        this.#held.setBody(COPIES_OF_A_LINE * this.#lines.heldBytes);
      }
      for (const line of this.#lines.end()) await this.#take(line);
    } catch (error) {
      throw await this.#withProgress(error);
    }
    await this.#records.finish();
  }

  async #take(line: Line): Promise<void> {
    const parsed = parseLine(line);
    if (parsed === undefined) return;
    const problem = 'conversation' in parsed ? await this.#add(parsed.conversation) : parsed;
    if (problem === undefined) this.report.imported += 1;
    else this.#refuse(line.number, problem);
  }

  async #add(conversation: ImportedConversation): Promise<LineProblem | undefined> {
    try {
      const text = JSON.stringify(toSpan(this.#target, conversation, this.#clock.now()));
      await this.#records.add(IMPORT_GROUP, (out) => out.json(text));
      return undefined;
    } catch (error) {
      if (error instanceof RecordRefused) return wholeLine(error.reason);
      throw error;
    }
  }

  #refuse(line: number, problem: LineProblem): void {
    this.report.refusedCount += 1;
    if (this.report.refused.length < MAX_REPORTED_REFUSALS) this.report.refused.push({ line, ...problem });
  }

  /** Keeps the lines before the point where a body breaks off, and adds the number of the last one to the error. */
  async #withProgress(error: unknown): Promise<unknown> {
    if (!(error instanceof AppError) || error.code !== 'MALFORMED_BODY' || this.#lines.lineCount === 0) return error;
    await this.#records.finish();
    return new AppError(error.code, `${error.message}, after line ${this.#lines.lineCount}`, { cause: error.cause });
  }
}
