/**
 * Loaded into a process before its own code: notes every connection, name look-up and datagram that it asks for, one line
 * of JSON each, in connections.ndjson of its data folder. What is asked for counts, also when it would have failed.
 */
const { appendFileSync } = require('node:fs');
const dgram = require('node:dgram');
const dns = require('node:dns');
const net = require('node:net');
const path = require('node:path');

const file = path.join(process.env.SIM_DATA_DIR ?? '.', 'connections.ndjson');
const note = (/** @type {string} */ kind, /** @type {string} */ target) =>
  appendFileSync(file, `${JSON.stringify({ pid: process.pid, kind, target })}\n`);

const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function (...words) {
  const [first, second] = Array.isArray(words[0]) ? words[0] : words;
  if (typeof first === 'object' && first !== null) note('connect', first.path ?? first.host ?? 'localhost');
  else note('connect', typeof second === 'string' ? second : 'localhost');
  return connect.apply(this, words);
};

for (const owner of [dns, dns.promises])
  for (const name of Object.keys(owner).filter((one) => /^(lookup|resolve|reverse)/.test(one))) {
    const original = owner[name];
    owner[name] = function (...words) {
      note(name, String(words[0]));
      return original.apply(this, words);
    };
  }

for (const name of ['send', 'connect']) {
  const original = dgram.Socket.prototype[name];
  dgram.Socket.prototype[name] = function (...words) {
    note(`datagram ${name}`, String(words.filter((word) => typeof word === 'string').at(-1)));
    return original.apply(this, words);
  };
}
