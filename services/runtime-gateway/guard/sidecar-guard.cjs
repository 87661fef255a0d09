'use strict';
/**
 * Stands between the gateway and the model server, so that the server never outlives the gateway: when the channel to the
 * gateway closes (it was stopped, crashed or killed), the server is ended, with all that it has started: the command may be
 * a script around the real server. Plain JavaScript, since it is started as it is.
 *
 * Arguments: the program and its arguments. Messages to the gateway: {pid}, {failed: code}, {exit: {code, signal}}; from it:
 * 'stop'.
 */
const { spawn } = require('node:child_process');

const KILL_AFTER_MS = 5000;
const LOOK_EVERY_MS = 50;
const [program, ...args] = process.argv.slice(2);
let isEnding = false;

const tell = (message) => {
  if (process.connected) process.send(message, () => undefined);
};

// A group of its own, so that a signal reaches the children of the program too. Windows has no such thing.
const detached = process.platform !== 'win32';
const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'], windowsHide: true, detached });

/** Sends a signal to the whole group; 0 only looks. @returns Whether anybody was there. */
const signalAll = (signal) => {
  try {
    return process.kill(detached ? -child.pid : child.pid, signal);
  } catch {
    return false;
  }
};

const endAll = () => {
  if (isEnding || child.pid === undefined) return;
  isEnding = true;
  signalAll('SIGTERM');
  setTimeout(() => signalAll('SIGKILL'), KILL_AFTER_MS);
};

/** The program has ended; what it started ends with it. */
const endRest = async () => {
  if (!detached) return;
  endAll();
  const deadline = performance.now() + KILL_AFTER_MS;
  while (signalAll(0) && performance.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  signalAll('SIGKILL');
};

/** Leaves when the gateway has the message, or at once when there is no gateway any more. */
const leave = (message) => {
  if (!process.connected) process.exit(0);
  process.send(message, () => process.exit(0));
};

child.once('spawn', () => tell({ pid: child.pid }));
child.once('error', (error) => leave({ failed: error.code ?? 'UNKNOWN' }));
child.once('exit', (code, signal) => void endRest().then(() => leave({ exit: { code, signal } })));
process.on('disconnect', endAll);
process.on('message', (message) => {
  if (message === 'stop') endAll();
});
process.on('SIGTERM', endAll);
process.on('SIGINT', endAll);
