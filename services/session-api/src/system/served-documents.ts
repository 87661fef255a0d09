import type { buildAsyncApi, buildOpenApi, DocsPage } from '@parley/shared/documents';
import { readGeneratedFile } from '@parley/shared/service';

/** The documents of the API as `npm run generate` wrote them, with the address at which the caller found them. */
export class ServedDocuments {
  /** @param folder `schemas/` of the project */
  constructor(private readonly folder: string) {}

  async openApi(host: string): Promise<object> {
    const document = (await readGeneratedFile(this.folder, 'openapi.json')) as ReturnType<typeof buildOpenApi>;
    return { ...document, servers: [{ url: `http://${host}` }] };
  }

  async asyncApi(host: string): Promise<object> {
    const document = (await readGeneratedFile(this.folder, 'asyncapi.json')) as ReturnType<typeof buildAsyncApi>;
    return { ...document, servers: { local: { ...document.servers.local, host } } };
  }

  async page(host: string): Promise<DocsPage> {
    const page = (await readGeneratedFile(this.folder, 'docs-page.json')) as DocsPage;
    return { ...page, html: page.html.replaceAll(page.address, host) };
  }
}
