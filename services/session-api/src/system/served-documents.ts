import { LRUCache } from 'lru-cache';
import type { DocsPage } from '@parley/shared/documents';

/** This machine has few names; the guard lets no other through. */
const KEPT_HOSTS = 16;

export interface ServedDocuments {
  readonly openApi: object;
  readonly asyncApi: object;
  readonly page: DocsPage;
}

async function documentsAt(host: string): Promise<ServedDocuments> {
  // Reads the whole contracts: only for whoever opens the documents.
  const { buildAsyncApi, buildOpenApi, renderDocsPage } = await import('@parley/shared/documents');
  const openApi = buildOpenApi();
  const asyncApi = buildAsyncApi();
  const page = renderDocsPage();
  return {
    openApi: { ...openApi, servers: [{ url: `http://${host}` }] },
    asyncApi: { ...asyncApi, servers: { local: { ...asyncApi.servers.local, host } } },
    page: { ...page, html: page.html.replaceAll(page.address, host) },
  };
}

/** The documents of the API with the address at which the caller found them, made when somebody first asks. */
export function servedDocuments(): (host: string) => Promise<ServedDocuments> {
  const kept = new LRUCache<string, ServedDocuments>({ max: KEPT_HOSTS });
  return async (given) => {
    const host = given.toLowerCase();
    const documents = kept.get(host) ?? (await documentsAt(host));
    kept.set(host, documents);
    return documents;
  };
}
