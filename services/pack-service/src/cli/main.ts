#!/usr/bin/env node
import { packsCommand } from './packs-command';

const output = {
  stdout: (text: string) => void process.stdout.write(text),
  stderr: (text: string) => void process.stderr.write(text),
};

void packsCommand(process.argv.slice(2), output).then((exit) => {
  process.exitCode = exit;
});
