import { createServer, type Server } from 'node:http';
import { createServer as createListener, isIP, type AddressInfo, type Server as Listener } from 'node:net';
import { ModelInstall } from '@parley/shared/contracts';
import { waitUntil } from '@parley/shared/testing';
import { startGateway, type RunningGateway } from '../../testing/gateway-caller';
import { smallGguf } from '../../testing/small-gguf';
import { LEADS_INSIDE_MESSAGE } from './address-rules';
import type { HostLookup } from './checked-lookup';

/** What the injected resolver answers, by host: one answer after the other, the last one for good. */
let answers: Record<string, string[][]>;
let asked: string[];
let gateway: RunningGateway;
/** A machine inside: whoever connects to it is counted and hung up on. */
let inside: Listener;
let connections: number;
let files: Server;
let redirectTo: string;

const lookup: HostLookup = (host) => {
  asked.push(host);
  const [answer = [], ...later] = answers[host] ?? [];
  if (later.length > 0) answers[host] = later;
  if (answer.length === 0)
    return Promise.reject(Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' }));
  return Promise.resolve(answer.map((address) => ({ address, family: isIP(address) })));
};

const listen = (server: Server | Listener): Promise<void> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const portOf = (server: Server | Listener): number => (server.address() as AddressInfo).port;

beforeEach(async () => {
  answers = {};
  asked = [];
  connections = 0;
  inside = createListener((socket) => {
    connections += 1;
    socket.destroy();
  });
  files = createServer((request, response) => {
    // Every request comes on a connection of its own, so that a name is needed for each.
    response.setHeader('connection', 'close');
    if (request.url === '/away.gguf') response.writeHead(302, { location: redirectTo }).end();
    else response.end(smallGguf());
  });
  await Promise.all([listen(inside), listen(files)]);
  gateway = await startGateway({ SIM_RUNTIME_ID: 'local_server' }, { lookup });
});
afterEach(async () => {
  await gateway.stop();
  files.closeAllConnections();
  await Promise.all([inside, files].map((server) => new Promise((resolve) => server.close(resolve))));
});

/** How an install from an address ends. */
async function installed(url: string): Promise<ModelInstall> {
  const answer = await gateway.send('POST', '/runtime/models/install', { url });
  expect(answer.status).toBe(202);
  const { id } = ModelInstall.parse((answer.body as { install: unknown }).install);
  return waitUntil('the install to end', async () => {
    const one = ModelInstall.parse((await gateway.get(`/runtime/models/installs/${id}`)).body);
    return ['installed', 'failed'].includes(one.status) ? one : null;
  });
}

const REFUSED = { status: 'failed', bytes_done: 0, message: LEADS_INSIDE_MESSAGE };

describe('a download from a name', () => {
  it.each(['127.0.0.1', '10.1.2.3', '169.254.169.254', '::1', 'fd00::1', '::ffff:127.0.0.1', '::ffff:7f00:1'])(
    'that looks public and answers %s is refused, and nothing is connected to',
    async (address) => {
      answers['models.example'] = [[address]];
      expect(await installed(`https://models.example:${portOf(inside)}/a.gguf`)).toMatchObject(REFUSED);
      expect([asked, connections]).toEqual([['models.example'], 0]);
    },
  );

  it('goes to the address that was looked at although the name answers another one the next time', async () => {
    answers['localhost'] = [['127.0.0.1'], ['10.1.2.3']];
    redirectTo = '/a.gguf';
    expect(await installed(`http://localhost:${portOf(files)}/away.gguf`)).toMatchObject({ status: 'installed' });
    expect(asked).toEqual(['localhost']);
  });

  it('looks anew for the next download, and refuses what it finds then', async () => {
    answers['localhost'] = [['127.0.0.1'], ['10.1.2.3']];
    const url = `http://localhost:${portOf(files)}`;
    expect(await installed(`${url}/a.gguf`)).toMatchObject({ status: 'installed' });
    expect(await installed(`${url}/b.gguf`)).toMatchObject(REFUSED);
    expect(asked).toEqual(['localhost', 'localhost']);
  });

  it('that nobody has says so and what to do', async () => {
    expect(await installed('https://nobody.example/a.gguf')).toMatchObject({
      status: 'failed',
      message: expect.stringMatching(/No machine of this name.*check the address/) as string,
    });
  });
});

describe('a redirect of an address on this machine', () => {
  it.each([
    ['a private address', () => 'https://10.1.2.3/a.gguf'],
    ['the address of cloud metadata', () => 'https://169.254.169.254/a.gguf'],
    ['a private IPv6 address', () => 'https://[fd00::1]/a.gguf'],
    ['a private address written as IPv6', () => 'https://[::ffff:10.1.2.3]/a.gguf'],
    ['this machine by another name', () => `http://localhost:${portOf(inside)}/a.gguf`],
  ])('to %s is refused before anything is looked up or connected to', async (_what, location) => {
    answers['localhost'] = [['127.0.0.1']];
    redirectTo = location();
    expect(await installed(`http://127.0.0.1:${portOf(files)}/away.gguf`)).toMatchObject(REFUSED);
    expect([asked, connections]).toEqual([[], 0]);
  });

  it('to a name that looks public and answers an address inside is refused as well', async () => {
    answers['models.example'] = [['127.0.0.1']];
    redirectTo = `https://models.example:${portOf(inside)}/a.gguf`;
    expect(await installed(`http://127.0.0.1:${portOf(files)}/away.gguf`)).toMatchObject(REFUSED);
    expect([asked, connections]).toEqual([['models.example'], 0]);
  });

  it('to another file of the same machine is followed', async () => {
    redirectTo = `http://127.0.0.1:${portOf(files)}/a.gguf`;
    expect((await installed(`http://127.0.0.1:${portOf(files)}/away.gguf`)).status).toBe('installed');
  });
});
