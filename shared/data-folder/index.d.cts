/** Where the data lies; see index.cjs. */
export interface DataFolder {
  /** Absolute path. */
  readonly folder: string;
  /** `checkout`: a folder `data` is in the checkout, where earlier versions kept everything. */
  readonly from: 'SIM_DATA_DIR' | 'checkout' | 'platform';
}

/** @param root folder of the checkout */
export function dataFolderOf(environment: Readonly<Record<string, string | undefined>>, root: string): DataFolder;

/** `label` names the database to a person and holds no password; `refusal` is a sentence for a person. */
export type DatabaseAddress =
  | { readonly system: 'sqlite'; readonly file: string }
  | { readonly system: 'postgres'; readonly url: string; readonly label: string }
  | { readonly refusal: string };

/** Where the database is, or the sentence that refuses what SIM_DATABASE_URL says. */
export function databaseAddressOf(dataDir: string, url: string | null | undefined): DatabaseAddress;
