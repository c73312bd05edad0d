import { explainUsesIndex } from './explain.ts';

type Command = Record<string, unknown>;

interface CommandStarted {
  commandName: string;
  command: Command;
}

/** Members of a service's database that are used here. */
interface Connected {
  readonly connection: {
    readonly db?: { command(command: Command): Promise<unknown> } | undefined;
    getClient(): {
      on(event: 'commandStarted', listener: (started: CommandStarted) => void): unknown;
      off(event: 'commandStarted', listener: (started: CommandStarted) => void): unknown;
    };
  };
}

export interface ExecutionStats {
  nReturned: number;
  totalDocsExamined: number;
  totalKeysExamined: number;
}

const EXPLAINED = ['find', 'aggregate', 'update', 'delete', 'findAndModify', 'count'];
/** Members of a command that belong to the session, not to the query. */
const OF_THE_SESSION = ['lsid', 'txnNumber', 'autocommit', 'startTransaction', '$clusterTime', '$db', 'readConcern'];

/** Builds a URL with which the driver reports the commands that it sends. */
export function monitored(mongoUrl: string): string {
  const url = new URL(mongoUrl);
  url.searchParams.set('monitorCommands', 'true');
  return url.href;
}

/** Returns the commands that the work sends to the database, in order; requires a `monitored` URL. */
export async function sentCommands(
  database: Connected,
  work: () => Promise<unknown>,
): Promise<{ name: string; collection: string; command: Command }[]> {
  const sent: { name: string; collection: string; command: Command }[] = [];
  const listener = ({ commandName: name, command }: CommandStarted) =>
    void sent.push({ name, collection: String(command[name]), command });
  const client = database.connection.getClient();
  client.on('commandStarted', listener);
  await work();
  client.off('commandStarted', listener);
  return sent;
}

/** Command that reads or changes by a filter, with its execution by the database. */
export interface ExplainedCommand {
  /** `find findings: FETCH <- IXSCAN` */
  plan: string;
  stats: ExecutionStats;
}

/** Explains the commands of the work; rejects if one of them is not answered by an index alone. */
export async function explainSent(database: Connected, work: () => Promise<unknown>): Promise<ExplainedCommand[]> {
  const explained: ExplainedCommand[] = [];
  const sent = (await sentCommands(database, work)).filter(({ name }) => EXPLAINED.includes(name));
  for (const { name, collection, command } of sent) {
    for (const statement of statementsOf(command)) {
      const answer = await explain(database, statement);
      const stages = await explainUsesIndex({ explain: async () => answer });
      explained.push({ plan: `${name} ${collection}: ${stages.join(' <- ')}`, stats: statsOf(answer) });
    }
  }
  return explained;
}

/** Splits a bulk of writes, which can only be explained one by one. */
function statementsOf(command: Command): Command[] {
  for (const name of ['updates', 'deletes']) {
    const statements = command[name];
    if (Array.isArray(statements)) return statements.map((statement) => ({ ...command, [name]: [statement] }));
  }
  return [command];
}

interface Explanation {
  executionStats?: ExecutionStats;
  stages?: readonly { $cursor?: { executionStats: ExecutionStats } }[];
}

/** Statistics of the query; those of an aggregate with further stages are those of the query that it begins with. */
function statsOf({ executionStats, stages }: Explanation): ExecutionStats {
  const stats = executionStats ?? stages?.flatMap((stage) => stage.$cursor?.executionStats ?? [])[0];
  if (stats === undefined) throw new Error('The explanation has no statistics');
  return stats;
}

async function explain(database: Connected, command: Command): Promise<Explanation> {
  const entries = Object.entries(command).filter(([name]) => !OF_THE_SESSION.includes(name));
  const question = { explain: Object.fromEntries(entries), verbosity: 'executionStats' };
  return (await database.connection.db?.command(question)) as Explanation;
}
