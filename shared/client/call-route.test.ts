import { ROUTES } from '@parley/shared/contracts';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { callRoute } from './call-route';

describe('a call of an operation', () => {
  let server: Server;
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  let asked = 0;
  beforeAll(async () => {
    server = createServer((request, response) => {
      asked += 1;
      answer(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  beforeEach(() => {
    asked = 0;
  });
  const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const dieInTheMiddle = (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
    response.write('{', () => response.destroy());
  };

  it('that only reads is made once more when the answer breaks off in the middle', async () => {
    answer = (_request, response) => {
      if (asked === 1) dieInTheMiddle(response);
      else response.end('{"scenarios":[]}');
    };
    expect(await callRoute(url(), ROUTES.listScenarios, {})).toEqual({ scenarios: [] });
    expect(asked).toBe(2);
  });

  it('fails when the second answer breaks off as well', async () => {
    answer = (_request, response) => dieInTheMiddle(response);
    await expect(callRoute(url(), ROUTES.listScenarios, {})).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      details: { service: 'pack_service' },
    });
    expect(asked).toBe(2);
  });

  it('that changes something is made once', async () => {
    answer = (_request, response) => dieInTheMiddle(response);
    const call = { params: { pack_id: 'sample.pack' } };
    await expect(callRoute(url(), ROUTES.deletePack, call)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(asked).toBe(1);
  });
});
