import type { ExportQuery } from '@clew/contracts';
import { notFound } from '@clew/kernel';
import type { DatasetKey, ExampleReader, StoredExample } from '../examples/index.ts';
import type { SplitsService } from '../splits/index.ts';
import { ENCODERS } from './encoders.ts';
import type { ExportEncoder } from './export-encoder.ts';
import { fileNameOf } from './file-name.ts';

export interface ExportsDependencies {
  /** Reads a Dataset that is not deleted. */
  datasets: { get(projectId: string, datasetId: string): Promise<{ name: string } | undefined> };
  reader: ExampleReader;
  splits: SplitsService;
}

/** File that is generated while it is read. */
export interface ExportedFile {
  version: number;
  contentId: string;
  contentType: string;
  name: string;
  chunks: AsyncIterable<Buffer>;
  /** Final once all chunks were read. */
  readonly counts: Readonly<ExportCounts>;
}

export interface ExportCounts {
  exported: number;
  /** Examples of the split that the format cannot hold. */
  leftOut: number;
}

export interface ExportsService {
  open(key: DatasetKey, query: ExportQuery): Promise<ExportedFile>;
}

const CHUNK_CHARACTERS = 64 * 1024;

export function createExportsService({ datasets, reader, splits }: ExportsDependencies): ExportsService {
  return {
    async open(key, { format, version: asked, split, ratio, includeStale }) {
      const [dataset, version] = await Promise.all([
        datasets.get(key.projectId, key.datasetId),
        reader.versionOf(key, asked),
      ]);
      if (dataset === undefined) throw notFound();
      const groups = split === undefined ? undefined : await splits.groupsOf(key, version);
      const isWanted = ({ id, isStale }: StoredExample) =>
        (isStale !== true || includeStale) && (groups === undefined || groups.splitOf(id, ratio) === split);
      const encoder = ENCODERS[format];
      const counts: ExportCounts = { exported: 0, leftOut: 0 };
      return {
        version: version.version,
        contentId: version.contentId,
        contentType: encoder.contentType,
        name: fileNameOf([dataset.name, `v${version.version}`, split], encoder.extension),
        chunks: encodeAll(reader.slices(key, version), encoder, isWanted, counts),
        counts,
      };
    },
  };
}

async function* encodeAll(
  slices: AsyncIterable<readonly StoredExample[]>,
  encoder: ExportEncoder,
  isWanted: (example: StoredExample) => boolean,
  counts: ExportCounts,
): AsyncGenerator<Buffer> {
  let text = encoder.header;
  for await (const slice of slices) {
    for (const example of slice) {
      if (!isWanted(example)) continue;
      const encoded = encoder.encode(example);
      if (encoded === undefined) {
        counts.leftOut += 1;
        continue;
      }
      counts.exported += 1;
      text += encoded;
      if (text.length < CHUNK_CHARACTERS) continue;
      yield Buffer.from(text);
      text = '';
    }
  }
  if (text !== '') yield Buffer.from(text);
}
