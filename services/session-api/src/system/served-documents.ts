import { LRUCache } from 'lru-cache';
import { buildAsyncApi, buildOpenApi, renderDocsPage, type DocsPage } from '@parley/shared/documents';

/** This machine has few names; the guard lets no other through. */
const KEPT_HOSTS = 16;

export interface ServedDocuments {
  readonly openApi: object;
  readonly asyncApi: object;
  readonly page: DocsPage;
}

function documentsAt(host: string): ServedDocuments {
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
export function servedDocuments(): (host: string) => ServedDocuments {
  const kept = new LRUCache<string, ServedDocuments>({ max: KEPT_HOSTS, memoMethod: documentsAt });
  return (host) => kept.memo(host.toLowerCase());
}
