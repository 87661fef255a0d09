#!/usr/bin/env node
import { packsCommand } from './packs-command';

const output = {
  stdout: (text: string) => void process.stdout.write(text),
  stderr: (text: string) => void process.stderr.write(text),
};

/** Questions are put only to a person who can answer; they go to stderr, since stdout is for data. */
const terminal = process.stdin.isTTY && process.stderr.isTTY ? { input: process.stdin, output: process.stderr } : null;

void packsCommand(process.argv.slice(2), output, {}, terminal).then((exit) => {
  process.exitCode = exit;
});
