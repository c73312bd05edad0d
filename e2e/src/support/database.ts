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
