import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { DEFAULT_PORTS, INTERNAL_KEY_HEADER, PROBE_PATHS, socketPath } from '@parley/shared/contracts';
import { PORT_VARIABLES, readBaseConfig } from '@parley/shared/service';
import { PROJECT_ROOT, filledPath, routesOfApi } from './set';

const at = (...places: string[]): string => path.join(PROJECT_ROOT, ...places);
const read = (...places: string[]): string => readFileSync(at(...places), 'utf8');

/** Variables of Parley in a text, whatever they are set to. */
const variablesIn = (text: string): string[] => [...new Set(text.match(/\bSIM_[A-Z_]+/g))].sort();
const KNOWN = new Set(variablesIn(read('.env.example')));

const Words = z.array(z.string());
const ecosystem = z
  .object({ apps: z.array(z.object({ kill_timeout: z.number() })) })
  .parse(createRequire(__filename)(at('ecosystem.config.js')));

/** The instructions of a Dockerfile in their order, continued lines joined. */
const instructionsOf = (text: string): [name: string, words: string][] =>
  text
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1).trim()]);

/** What the container files say of ports, paths, variables and commands, held against the code: no engine is at hand to run them. */
describe('docker/Dockerfile', () => {
  const all = instructionsOf(read('docker', 'Dockerfile'));
  const [build, final] = [
    all.slice(
      0,
      all.findLastIndex(([name]) => name === 'FROM'),
    ),
    all.slice(all.findLastIndex(([name]) => name === 'FROM')),
  ];
  const given = (name: string, stage = final): string[] =>
    stage.flatMap(([one, words]) => (one === name ? [words] : []));
  const environment = new Map(
    given('ENV').flatMap((words) => words.split(/\s+/).map((pair) => pair.split('=') as [string, string])),
  );

  it('builds on one release of Node, pinned, that package.json allows', () => {
    const tags = [...given('FROM', build), ...given('FROM')].map(
      (words) => /^node:(\d+\.\d+\.\d+)-bookworm(-slim)?(@sha256:[0-9a-f]{64})?( AS build)?$/.exec(words)?.[1],
    );
    expect(tags).toEqual([expect.any(String), tags[0]]);
    const { engines } = z.object({ engines: z.object({ node: z.string() }) }).parse(JSON.parse(read('package.json')));
    const [major = 0, minor = 0] = (tags[0] ?? '').split('.').map(Number);
    const [least = 0, leastMinor = 0] = engines.node.replace('>=', '').split('.').map(Number);
    expect(major > least || (major === least && minor >= leastMinor)).toBe(true);
  });

  it('copies what is there, and into the build nothing that belongs to this machine or to tests alone', () => {
    const copied = given('COPY', build).map((words) => words.split(' ')[0] ?? '');
    expect(copied.filter((source) => !existsSync(at(source)))).toEqual([]);
    expect(given('COPY')).toEqual([`--from=build ${given('WORKDIR', build)[0]} ${given('WORKDIR')[0]}`]);
    const ignored = read('.dockerignore').split('\n');
    for (const name of ['**/node_modules', '**/dist', '.git', '**/.env', 'data']) expect(ignored).toContain(name);
    for (const name of ['**/test', '**/testing', '**/*.test.ts', '**/*.test.tsx']) expect(ignored).toContain(name);
  });

  it('runs commands whose files exist in the image', () => {
    const [runs = ''] = given('RUN', build);
    const scripts = [...runs.matchAll(/node (\S+\.cjs)/g)].map((found) => found[1] ?? '');
    expect(scripts).toEqual(['scripts/build.cjs']);
    const entry = Words.parse(JSON.parse(given('ENTRYPOINT')[0] ?? ''));
    expect(entry).toEqual([expect.stringMatching(/pm2-runtime$/), 'start', expect.any(String)]);
    const { dependencies } = z
      .object({ dependencies: z.record(z.string(), z.string()) })
      .parse(JSON.parse(read('package.json')));
    // What is pruned before the second stage is not in it.
    expect(dependencies).toHaveProperty('pm2');
    for (const file of [...scripts, entry[0] ?? '', entry[2] ?? ''])
      expect([file, existsSync(at(file))]).toEqual([file, true]);
    expect(ecosystem.apps).toHaveLength(5);
  });

  it('checks its health by a path that every process answers', () => {
    const command = Words.parse(JSON.parse(/CMD (\[.*\])$/.exec(given('HEALTHCHECK')[0] ?? '')?.[1] ?? ''));
    expect(command).toEqual(['node', 'scripts/ready.cjs']);
    expect(existsSync(at('scripts/ready.cjs'))).toBe(true);
    expect(read('scripts', 'set', 'readiness.cjs')).toContain(`'${PROBE_PATHS.readyz}'`);
    expect(read('scripts', 'set', 'readiness.cjs')).toContain(`'${INTERNAL_KEY_HEADER}'`);
  });

  it('runs as nobody special, writes to its volume and to /tmp, and exposes the page and the API', () => {
    expect(given('USER')).toEqual(['node']);
    expect(given('VOLUME')).toEqual([environment.get('SIM_DATA_DIR')]);
    expect(environment.get('PM2_HOME')).toMatch(/^\/tmp\//);
    expect(environment.get('NODE_ENV')).toBe('production');
    expect(given('EXPOSE').join(' ').split(' ').map(Number)).toEqual([DEFAULT_PORTS.ui, DEFAULT_PORTS.session_api]);
  });

  it('names variables that exist', () => {
    expect(variablesIn(read('docker', 'Dockerfile')).filter((name) => !KNOWN.has(name))).toEqual([]);
  });
});

const Compose = z.strictObject({
  services: z.record(
    z.string(),
    z.strictObject({
      build: z.strictObject({ context: z.string(), dockerfile: z.string() }),
      init: z.boolean(),
      stop_grace_period: z.string(),
      restart: z.string(),
      environment: z.record(z.string(), z.string()),
      extra_hosts: Words,
      ports: Words,
      volumes: Words,
      read_only: z.boolean(),
      tmpfs: Words,
      cap_drop: Words,
      security_opt: Words,
    }),
  ),
  volumes: z.record(z.string(), z.null()),
});

describe('docker/compose.yaml', () => {
  const compose = Compose.parse(parse(read('docker', 'compose.yaml')));
  const services = Object.entries(compose.services);
  const [, parley] = services[0] ?? [];
  if (parley === undefined) throw new Error('docker/compose.yaml has no service');

  it('is one container, built from the file beside it', () => {
    expect(services).toHaveLength(1);
    expect(existsSync(at('docker', parley.build.context, parley.build.dockerfile))).toBe(true);
    expect(at('docker', parley.build.context)).toBe(PROJECT_ROOT);
  });

  it('sets variables that exist, to values that every process takes', () => {
    expect(Object.keys(parley.environment).filter((name) => !KNOWN.has(name))).toEqual([]);
    const filled: Record<string, string> = {
      SIM_INTERNAL_KEY: 'k'.repeat(64),
      SIM_PUBLIC_ORIGIN: 'https://talks.example',
    };
    const environment = Object.fromEntries(
      Object.entries(parley.environment).map(([name, value]) => {
        const asked = /^\$\{(\w+):([?-])(.*)\}$/.exec(value);
        // A variable is filled in by one of its own name; what has no default stops compose with what to do.
        if (asked !== null) expect(asked[1]).toBe(name);
        if (asked?.[2] === '?') expect(Object.keys(filled)).toContain(name);
        return [name, asked === null ? value : (filled[name] ?? asked[3] ?? '')];
      }),
    );
    for (const service of ['ui', 'session_api', 'pack_service', 'runtime_gateway', 'debrief_worker'] as const)
      expect(readBaseConfig(environment, service)).toMatchObject({
        host: '0.0.0.0',
        port: DEFAULT_PORTS[service],
        internal_key: filled['SIM_INTERNAL_KEY'],
        public_origin: filled['SIM_PUBLIC_ORIGIN'],
      });
    expect(variablesIn(read('docker', 'compose.yaml')).filter((name) => !KNOWN.has(name))).toEqual([]);
  });

  it('publishes the page and the API, to this machine alone', () => {
    const { ui, session_api } = DEFAULT_PORTS;
    expect(parley.ports).toEqual([ui, session_api].map((port) => `127.0.0.1:${port}:${port}`));
  });

  it('has a read-only root, room where the processes write, and time to stop', () => {
    const image = read('docker', 'Dockerfile');
    expect(parley.read_only).toBe(true);
    const [source = '', target = ''] = parley.volumes[0]?.split(':') ?? [];
    expect(Object.keys(compose.volumes)).toEqual([source]);
    expect(image).toContain(`VOLUME ${target}\n`);
    expect(parley.tmpfs.some((folder) => image.includes(`PM2_HOME=${folder}/`))).toBe(true);
    const grace = Number(/^(\d+)s$/.exec(parley.stop_grace_period)?.[1]) * 1000;
    for (const app of ecosystem.apps) expect(grace).toBeGreaterThan(app.kill_timeout);
  });
});

describe('docker/Caddyfile', () => {
  const text = read('docker', 'Caddyfile');

  it('sends to the API what the API answers, and all else to the page', () => {
    const patterns = (/@api path (.*)$/m.exec(text)?.[1] ?? '').split(' ');
    const isForApi = (target: string): boolean =>
      patterns.some((pattern) =>
        pattern.endsWith('*') ? target.startsWith(pattern.slice(0, -1)) : target === pattern,
      );
    const open = routesOfApi().filter((route) => route.audience !== 'internal');
    expect(open.map((route) => filledPath(route)).filter((one) => !isForApi(one))).toEqual([]);
    expect(isForApi(socketPath('abc'))).toBe(true);
    const closed = routesOfApi().filter((route) => route.audience === 'internal');
    expect(closed.map((route) => filledPath(route)).filter(isForApi)).toEqual([]);
    expect(['/', '/assets/index.js', PROBE_PATHS.metrics].filter(isForApi)).toEqual([]);
    expect(text).toContain(`reverse_proxy @api 127.0.0.1:${DEFAULT_PORTS.session_api}`);
    expect(text).toContain(`reverse_proxy 127.0.0.1:${DEFAULT_PORTS.ui}`);
  });

  it('takes the key from whoever brings one along', () => {
    expect(text.toLowerCase()).toContain(`request_header -${INTERNAL_KEY_HEADER}`);
  });
});

describe('.env.example', () => {
  it('has the variables of ports and of what lets others in', () => {
    for (const name of [...Object.values(PORT_VARIABLES), 'SIM_BIND_HOST', 'SIM_INTERNAL_KEY', 'SIM_PUBLIC_ORIGIN'])
      expect(KNOWN).toContain(name);
  });
});
