/**
 * npm run logs [-- SERVICE…] [--lines N] [--json] [--no-follow]: the logs of the processes, oldest first, then what is
 * added to them. --json answers the lines as they were written.
 */
const { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync, statSync } = require('node:fs');
const path = require('node:path');
const { parseArgs } = require('node:util');
const { readProject } = require('./set/project.cjs');
const { sleep } = require('./set/supervisor.cjs');
const { UserError, runCommand, say } = require('./set/user-error.cjs');

/** @typedef {{ time: string, line: string }} LogLine */

/** @param {string} line @returns {LogLine} */
function withTime(line) {
  return { time: /"time":"([^"]+)"/.exec(line)?.[1] ?? '', line };
}

/** @param {string} line */
function forAPerson(line) {
  let entry;
  try {
    entry = JSON.parse(line);
  } catch {
    return line;
  }
  const { time, level, service, msg, pid: _pid, hostname: _host, ...rest } = entry;
  const fields = Object.entries(rest)
    .map(([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
    .join(' ');
  return `${time ?? ''} ${String(level ?? '').padEnd(5)} ${String(service ?? '').padEnd(15)} ${msg ?? ''} ${fields}`.trimEnd();
}

/** Files of a process, oldest first: `<name>.<number>.log`, with `-<instance>` where several share a port. @param {string} folder @param {string} name */
function filesOf(folder, name) {
  if (!existsSync(folder)) return [];
  const numbered = readdirSync(folder).flatMap((file) => {
    const number = file.startsWith(name) ? /^(?:-\d+)?\.(\d+)\.log$/.exec(file.slice(name.length))?.[1] : undefined;
    return number === undefined ? [] : [{ number: Number(number), file: path.join(folder, file) }];
  });
  return numbered.sort((a, b) => a.number - b.number).map(({ file }) => file);
}

/** Whole lines after an offset. @param {string} file @param {number} offset */
function readFrom(file, offset) {
  const handle = openSync(file, 'r');
  try {
    const buffer = Buffer.alloc(Math.max(0, statSync(file).size - offset));
    const bytes = readSync(handle, buffer, 0, buffer.length, offset);
    const end = buffer.subarray(0, bytes).lastIndexOf(10) + 1;
    return { text: buffer.toString('utf8', 0, end), next: offset + end };
  } finally {
    closeSync(handle);
  }
}

runCommand(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    allowNegative: true,
    options: {
      lines: { type: 'string', default: '50' },
      json: { type: 'boolean', default: false },
      follow: { type: 'boolean', default: true },
    },
  });
  const project = readProject();
  const known = project.services.map((service) => service.name);
  const names = positionals.length === 0 ? known : positionals;
  for (const name of names)
    if (!known.includes(name)) throw new UserError(`There is no process ${name}; there are ${known.join(', ')}.`);
  if (!/^\d+$/.test(values.lines)) throw new UserError('--lines must be a whole number.');

  const write = (/** @type {LogLine[]} */ lines) => {
    for (const { line } of lines) process.stdout.write(`${values.json ? line : forAPerson(line)}\n`);
  };
  /** @type {Map<string, number>} */
  const offsets = new Map();
  const wanted = Number(values.lines);
  const past = names.flatMap((name) =>
    filesOf(project.logsDir, name).flatMap((file) => {
      const text = readFileSync(file, 'utf8');
      offsets.set(file, Buffer.byteLength(text.slice(0, text.lastIndexOf('\n') + 1)));
      return text.split('\n').filter(Boolean).slice(-wanted).map(withTime);
    }),
  );
  past.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
  write(wanted === 0 ? [] : past.slice(-wanted));
  if (!values.follow) return;
  if (past.length === 0) say(`There are no logs in ${project.logsDir} yet; waiting for them. Stop with Ctrl+C.`);
  for (;;) {
    await sleep(300);
    const added = names.flatMap((name) =>
      filesOf(project.logsDir, name).flatMap((file) => {
        const { text, next } = readFrom(file, offsets.get(file) ?? 0);
        offsets.set(file, next);
        return text.split('\n').filter(Boolean).map(withTime);
      }),
    );
    added.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
    write(added);
  }
});
