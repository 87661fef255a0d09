import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freePorts } from '@parley/shared/testing';
import { diagnoseRuntime } from './diagnose-runtime.cjs';
import { diagnoses } from './diagnoses.cjs';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function gatewaySaying(health: Record<string, unknown>): Promise<string> {
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/runtime/health' ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(health));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

type Diagnose = NonNullable<(typeof diagnoses)[string]>;
const look = async (environment: Record<string, string>) => {
  const runtime: Diagnose | undefined = diagnoses['model runtime'];
  if (runtime === undefined) throw new Error('the doctor does not look at the model runtime');
  return runtime({ environment } as unknown as Parameters<Diagnose>[0]);
};

const local = { runtime_id: 'local_server', runtime_name: 'Local model server', model_id: 'small', message: null };

describe('npm run doctor, of the model runtime', () => {
  it('looks at the gateway that SIM_GATEWAY_URL names, and says what plays behind it', async () => {
    const url = await gatewaySaying({ ...local, status: 'READY' });
    expect(await look({ SIM_GATEWAY_URL: url })).toEqual({
      status: 'ok',
      message: `small plays, behind the gateway at ${url}`,
    });
  });

  it('repeats what the gateway says is wrong although the server accepts connections', async () => {
    const message = 'The local model server asks for another key; set SIM_LOCAL_SERVER_API_KEY.';
    const url = await gatewaySaying({ ...local, status: 'ERROR', message });
    expect(await look({ SIM_GATEWAY_URL: url, SIM_RUNTIME_ID: 'local_server' })).toMatchObject({
      status: 'note',
      message: expect.stringContaining(message) as string,
    });
  });

  it('says that nobody answers where SIM_GATEWAY_URL points, and that it is no address', async () => {
    const gone = await gatewaySaying({});
    servers.splice(0).forEach((server) => server.close());
    expect((await look({ SIM_GATEWAY_URL: gone })).message).toContain(`no gateway answers at ${gone}`);
    expect(await look({ SIM_GATEWAY_URL: '7360' })).toMatchObject({ status: 'failed' });
  });

  it('says that the demo voice plays where no model is set', async () => {
    const url = await gatewaySaying({ ...local, runtime_id: 'fake', status: 'READY' });
    expect((await look({ SIM_GATEWAY_URL: url })).message).toContain('the demo voice plays');
  });

  it('says which of several model servers is missing although the others play', async () => {
    const message = '1 of 3 model servers does not answer: http://b:7356.';
    const url = await gatewaySaying({ ...local, status: 'READY', message });
    expect(await look({ SIM_GATEWAY_URL: url, SIM_RUNTIME_ID: 'local_server' })).toEqual({
      status: 'note',
      message: `small plays, behind the gateway at ${url}. ${message}`,
    });
  });

  it('looks at each of several model servers while no gateway runs', async () => {
    const here = await gatewaySaying({});
    const [port, gatewayPort] = await freePorts(2);
    const ask = (addresses: string): ReturnType<typeof look> =>
      look({
        SIM_GATEWAY_PORT: String(gatewayPort),
        SIM_RUNTIME_ID: 'local_server',
        SIM_LOCAL_SERVER_BASE_URL: addresses,
      });
    const gone = `127.0.0.1:${port}/`;
    expect(await ask(`${here}, ${here}`)).toMatchObject({ status: 'ok' });
    expect(await ask(`${here},http://me:secret@${gone}`)).toEqual({
      status: 'note',
      message: `local_server does not answer at http://${gone}; the other model servers play meanwhile.`,
    });
    expect((await ask(`http://${gone}`)).message).toContain('start the model server');
    expect(await ask(`${here},there`)).toEqual({ status: 'failed', message: '"there" is no address.' });
  });

  it('warns of several gateways while a choice on the page can reach only one of them', async () => {
    const url = await gatewaySaying({ ...local, status: 'READY' });
    const ask = (environment: Record<string, string>, addresses: string[]): ReturnType<typeof look> =>
      diagnoseRuntime({ environment: { SIM_GATEWAY_URL: url, ...environment } } as never, () =>
        Promise.resolve(addresses),
      );
    const several = ['10.0.0.4', '10.0.0.5'];
    expect(await ask({}, several)).toMatchObject({
      status: 'note',
      message: expect.stringContaining('set SIM_RUNTIME_ID for all of them') as string,
    });
    expect(await ask({ SIM_RUNTIME_ID: 'local_server' }, several)).toMatchObject({ status: 'ok' });
    expect(await ask({}, ['10.0.0.4', '10.0.0.4'])).toMatchObject({ status: 'ok' });
    expect(await ask({}, [])).toMatchObject({ status: 'ok' });
  });
});
