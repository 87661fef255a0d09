import { Worker } from 'node:worker_threads';

/** In a thread of its own: the driver is synchronous, and reading through a large database takes seconds. */
const PROGRAM = `
const { parentPort, workerData } = require('node:worker_threads');
const Driver = require(workerData.driver);
let answer;
try {
  const connection = new Driver(workerData.file, { readonly: true, fileMustExist: true });
  try {
    answer = String(connection.pragma('quick_check(1)', { simple: true }));
  } finally {
    connection.close();
  }
} catch (error) {
  answer = String(error.code ?? 'it cannot be read');
}
parentPort.postMessage(answer);
`;

/**
 * Reads through a SQLite file while others use it.
 * @returns what SQLite found, without any value of a row; null when the file is sound
 * @throws Error when the thread could not do its work
 */
export function quickCheck(file: string): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(PROGRAM, {
      eval: true,
      workerData: { file, driver: require.resolve('better-sqlite3') },
      execArgv: [],
    });
    worker.unref();
    worker.once('message', (answer: string) => resolve(answer === 'ok' ? null : answer));
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the check of the database ended without an answer')));
  });
}
