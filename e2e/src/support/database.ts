import { createConnection, type Connection } from 'mongoose';
import { runningStack } from './stack.ts';

/** Runs a function with a connection to the MongoDB of the stack; the address names no database. */
export async function withMongo<Result>(
  use: (connection: Connection) => Promise<Result>,
  url = runningStack().mongoUrl,
): Promise<Result> {
  const connection = await createConnection(url).asPromise();
  try {
    return await use(connection);
  } finally {
    await connection.close();
  }
}

const USUAL_TRANSACTION_SECONDS = 60;
/** Time after which MongoDB ends the transactions of a killed process, which hold up the others: usual in the long tier. */
const TRANSACTION_SECONDS = Number(process.env['CLEW_CRASH_TRANSACTION_SECONDS'] ?? 10);

/** Makes transactions of killed processes end soon, for tests that kill an owner of data. */
export const shortenTransactions = () => limitTransactions(TRANSACTION_SECONDS);

/** Gives transactions the time that they usually have. */
export const usualTransactions = () => limitTransactions(USUAL_TRANSACTION_SECONDS);

async function limitTransactions(seconds: number): Promise<void> {
  await withMongo(async (connection) => {
    await connection.getClient().db('admin').command({ setParameter: 1, transactionLifetimeLimitSeconds: seconds });
  });
}
