import type { z } from 'zod';
import type { ImportReport, TelemetryGroup } from '@clew/contracts';
import { AppError, type Clock } from '@clew/kernel';
import { parseJson } from '@clew/http';
import { MAX_MESSAGE_BYTES } from '../otlp/limits.ts';
import type { PublishSpans, SpanOrigin } from '../span-publisher.ts';
import { ImportedConversation } from './imported-conversation.ts';
import { readLines, type Line } from './lines.ts';
import { toTelemetry } from './to-telemetry.ts';

const MAX_REPORTED_REFUSALS = 1_000;

export interface ImportDependencies {
  publish: PublishSpans;
  clock: Clock;
  maxLineBytes: number;
}

type Refusal = ImportReport['refused'][number];

/** Reads conversations line by line; good lines are kept whatever the others are. */
export function createImportService({ publish, clock, maxLineBytes }: ImportDependencies) {
  return async (body: AsyncIterable<Buffer>, origin: SpanOrigin): Promise<ImportReport> => {
    const report: ImportReport = { imported: 0, refusedCount: 0, refused: [] };
    let batch: TelemetryGroup[] = [];
    let batchBytes = 0;
    const flush = async () => {
      if (batch.length === 0) return;
      await publish(origin, batch);
      report.imported += batch.length;
      batch = [];
      batchBytes = 0;
    };
    for await (const line of readLines(body, maxLineBytes)) {
      const parsed = parseLine(line);
      if (parsed === undefined) continue;
      if ('reason' in parsed) {
        refuse(report, parsed);
        continue;
      }
      batch.push(toTelemetry(origin.projectId, parsed.conversation, clock.now()));
      batchBytes += parsed.bytes;
      if (batchBytes >= MAX_MESSAGE_BYTES) await flush();
    }
    await flush();
    return report;
  };
}

/** The conversation of a line, why it is refused, or undefined for an empty line. */
function parseLine(line: Line): { conversation: ImportedConversation; bytes: number } | Refusal | undefined {
  if ('refusal' in line) return { line: line.number, path: '', reason: line.refusal };
  const text = line.text.trim();
  if (text === '') return undefined;
  try {
    const result = ImportedConversation.safeParse(parseJson(Buffer.from(text)));
    if (result.success) return { conversation: result.data, bytes: text.length };
    return { line: line.number, ...firstIssue(result.error) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { line: line.number, path: '', reason: error.message };
  }
}

function firstIssue(error: z.ZodError): Pick<Refusal, 'path' | 'reason'> {
  const issue = error.issues[0];
  return { path: issue?.path.map(String).join('.') ?? '', reason: issue?.message ?? 'is not valid' };
}

function refuse(report: ImportReport, refusal: Refusal): void {
  report.refusedCount += 1;
  if (report.refused.length < MAX_REPORTED_REFUSALS) report.refused.push(refusal);
}
