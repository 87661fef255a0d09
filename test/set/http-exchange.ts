import { request as httpRequest, type Agent, type IncomingHttpHeaders } from 'node:http';

export interface Exchange {
  /** One connection for this exchange alone when there is none. */
  readonly agent?: Agent;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

export interface Exchanged {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** One exchange over node's own client: it sends every header as it is told to, Host too. */
export function exchange(url: string, { body, agent, ...rest }: Exchange): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { agent: agent ?? false, ...rest }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (data: Buffer) => pieces.push(data));
      response.once('error', reject);
      response.once('end', () => {
        const text = Buffer.concat(pieces).toString('utf8');
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
    });
    request.once('error', reject);
    request.end(body);
  });
}
