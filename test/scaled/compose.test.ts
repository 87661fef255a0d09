import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { DEFAULT_PORTS, INTERNAL_KEY_HEADER, RUNTIME_IDS, type ServiceName } from '@parley/shared/contracts';
import { PORT_VARIABLES, readBaseConfig } from '@parley/shared/service';
import { parse } from 'yaml';
import { z } from 'zod';
import { readConfig as readPackConfig } from '../../services/pack-service/src/config';
import { PROJECT_ROOT } from '../set';

const at = (...places: string[]): string => path.join(PROJECT_ROOT, ...places);
const read = (...places: string[]): string => readFileSync(at(...places), 'utf8');
const SERVICES = Object.keys(PORT_VARIABLES) as ServiceName[];
const nameOf = (service: ServiceName): string => service.replaceAll('_', '-');

const Service = z.object({
  image: z.string().optional(),
  build: z.object({ context: z.string(), dockerfile: z.string() }).optional(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
  ports: z.array(z.string()).optional(),
  volumes: z.array(z.string()).default([]),
  deploy: z.object({ replicas: z.int() }).default({ replicas: 1 }),
  networks: z.object({ default: z.object({ aliases: z.array(z.string()) }) }).optional(),
  stop_grace_period: z.string().optional(),
  read_only: z.boolean().optional(),
  depends_on: z.record(z.string(), z.object({ condition: z.literal('service_healthy') })).optional(),
});
const Compose = z.object({ services: z.record(z.string(), Service), volumes: z.record(z.string(), z.null()) });
const Ecosystem = z.object({ apps: z.array(z.object({ name: z.string(), kill_timeout: z.number() })) });

/** No container engine is at hand to run it: what it says is held against the code. */
describe('docker/compose.scaled.yaml', () => {
  const { services, volumes } = Compose.parse(parse(read('docker', 'compose.scaled.yaml'), { merge: true }));
  const { apps } = Ecosystem.parse(createRequire(__filename)(at('ecosystem.config.js')));
  const reader = ['pack_service', services['pack-reader']] as const;
  const ours = [...SERVICES.map((service) => [service, services[nameOf(service)]] as const), reader];
  /** By which name the others find a process, where it is not its own. */
  const hostOf = (service: ServiceName): string => (service === 'pack_service' ? 'packs' : nameOf(service));
  const filled = {
    SIM_INTERNAL_KEY: 'k'.repeat(64),
    SIM_PUBLIC_ORIGIN: 'https://talks.example',
    POSTGRES_PASSWORD: 'p',
  };
  const fill = (value: string): string =>
    value.replace(/\$\{(\w+):([?-])([^}]*)\}/g, (_all, name: string, kind: string, text: string) => {
      if (kind === '?') expect(Object.keys(filled)).toContain(name);
      return filled[name as keyof typeof filled] ?? text;
    });

  it('runs each of the five processes by itself, with a health check of its own', () => {
    expect(apps.map(({ name }) => name).sort()).toEqual(SERVICES.map(nameOf).sort());
    for (const [service, one] of ours) {
      expect(one?.command).toEqual(['--only', nameOf(service)]);
      expect(one?.healthcheck?.test).toEqual(['CMD', 'node', 'scripts/ready.cjs', nameOf(service)]);
      expect(existsSync(at('docker', one?.build?.context ?? '', one?.build?.dockerfile ?? ''))).toBe(true);
      expect([one?.read_only, Object.keys(one?.depends_on ?? {})]).toEqual([true, ['postgres', 'redis']]);
      const grace = Number(/^(\d+)s$/.exec(one?.stop_grace_period ?? '')?.[1]) * 1000;
      for (const { kill_timeout } of apps) expect(grace).toBeGreaterThan(kill_timeout);
    }
  });

  it('sets variables that exist, to values that every process takes, and finds the others by their names', () => {
    const known = new Set(read('.env.example').match(/\bSIM_[A-Z_]+/g));
    for (const [service, one] of ours) {
      expect(Object.keys(one?.environment ?? {}).filter((name) => !known.has(name))).toEqual([]);
      const environment = Object.fromEntries(
        Object.entries(one?.environment ?? {}).map(([name, value]) => [name, fill(value)]),
      );
      const config = readBaseConfig(environment, service);
      expect([config.host, config.port]).toEqual(['0.0.0.0', DEFAULT_PORTS[service]]);
      for (const other of SERVICES.filter((name) => name !== 'ui'))
        expect(config.peers[other]).toBe(`http://${hostOf(other)}:${DEFAULT_PORTS[other]}`);
      expect(new URL(config.database_url ?? '').host).toBe('postgres:5432');
      expect(environment['SIM_REDIS_URL']).toBe('redis://redis:6379');
    }
  });

  it('runs several of each process that may be several, none of which write to one folder or have a choice on the page', () => {
    const replicas = Object.fromEntries(
      [...SERVICES.map(nameOf), 'pack-reader'].map((name) => [name, services[name]?.deploy.replicas]),
    );
    expect(replicas).toEqual({
      'session-api': 3,
      'debrief-worker': 2,
      'runtime-gateway': 2,
      'pack-service': 1,
      'pack-reader': 2,
      ui: 1,
    });
    for (const [, one] of ours) {
      if (one?.deploy.replicas !== 1) for (const volume of one?.volumes ?? []) expect(volume).toMatch(/:ro$/);
      // Fixed everywhere: session-api, the gateways and the doctor go by it.
      expect(RUNTIME_IDS).toContain(fill(one?.environment['SIM_RUNTIME_ID'] ?? ''));
    }
  });

  it('has readers of packs beside the one that writes, behind the same name, which cannot change what lies on its disk', () => {
    const writer = services['pack-service'];
    for (const one of [writer, reader[1]]) expect(one?.networks?.default.aliases).toEqual([hostOf('pack_service')]);
    const read = (one: typeof writer) => {
      const given = Object.entries(one?.environment ?? {}).map(([name, value]) => [name, fill(value)] as const);
      // What the image sets.
      return readPackConfig({ SIM_DATA_DIR: '/data', ...Object.fromEntries(given) });
    };
    const data = read(writer).base.data_dir;
    expect([read(writer).reader, writer?.volumes]).toEqual([null, [`parley-packs:${data}`]]);
    const [volume, place, mode] = reader[1]?.volumes[0]?.split(':') ?? [];
    expect([volume, mode]).toEqual(['parley-packs', 'ro']);
    expect(place).not.toBe(data);
    expect(read(reader[1]).reader).toEqual({
      writer_url: `http://${nameOf('pack_service')}:${DEFAULT_PORTS.pack_service}`,
      packs_dir: `${place}/packs`,
    });
  });

  it('has a Redis that writes nothing, and nothing that is reached from outside but the proxy', () => {
    const { redis } = services;
    const words = redis?.command ?? [];
    expect(words[words.indexOf('--save') + 1]).toBe('');
    expect(words[words.indexOf('--appendonly') + 1]).toBe('no');
    expect([redis?.volumes, redis?.read_only]).toEqual([[], true]);
    const published = Object.entries(services).filter(([, one]) => one.ports !== undefined);
    expect(published.map(([name]) => name)).toEqual(['caddy']);
  });

  it('has a volume for each name, and a proxy that knows where the API and the page are', () => {
    const used = Object.values(services).flatMap((one) => one.volumes.map((words) => words.split(':')[0] ?? ''));
    const [files, named] = [used.filter((name) => name.startsWith('.')), used.filter((name) => !name.startsWith('.'))];
    expect([...new Set(named)].sort()).toEqual(Object.keys(volumes).sort());
    for (const file of files) expect(existsSync(at('docker', file))).toBe(true);
    const proxy = read('docker', 'Caddyfile.scaled');
    expect(proxy).toContain(`dynamic a session-api ${DEFAULT_PORTS.session_api}`);
    expect(proxy).toContain(`reverse_proxy ui:${DEFAULT_PORTS.ui}`);
    expect(proxy.toLowerCase()).toContain(`request_header -${INTERNAL_KEY_HEADER}`);
    const paths = (text: string): string | undefined => /@api path (.*)$/m.exec(text)?.[1];
    expect(paths(proxy)).toBe(paths(read('docker', 'Caddyfile')));
  });
});
