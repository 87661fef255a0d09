'use strict';
/**
 * Stands between the gateway and the model server, so that the server never outlives the gateway: when the channel to the
 * gateway closes (it was stopped, crashed or killed), the server is ended. Plain JavaScript, since it is started as it is.
 *
 * Arguments: the program and its arguments. Messages to the gateway: {pid}, {failed: code}, {exit: {code, signal}}; from it:
 * 'stop'.
 */
const { spawn } = require('node:child_process');

const KILL_AFTER_MS = 5000;
const [program, ...args] = process.argv.slice(2);
let isEnding = false;

const tell = (message) => {
  if (process.connected) process.send(message, () => undefined);
};

const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'], windowsHide: true });

const endChild = () => {
  if (isEnding) return;
  isEnding = true;
  child.kill('SIGTERM');
  setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS);
};

/** Leaves when the gateway has the message, or at once when there is no gateway any more. */
const leave = (message) => {
  if (!process.connected) process.exit(0);
  process.send(message, () => process.exit(0));
};

child.once('spawn', () => tell({ pid: child.pid }));
child.once('error', (error) => leave({ failed: error.code ?? 'UNKNOWN' }));
child.once('exit', (code, signal) => leave({ exit: { code, signal } }));
process.on('disconnect', endChild);
process.on('message', (message) => {
  if (message === 'stop') endChild();
});
process.on('SIGTERM', endChild);
process.on('SIGINT', endChild);
