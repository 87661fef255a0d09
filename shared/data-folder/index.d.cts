/** Where the data lies; see index.cjs. */
export interface DataFolder {
  /** Absolute path. */
  readonly folder: string;
  /** `checkout`: a folder `data` is in the checkout, where earlier versions kept everything. */
  readonly from: 'SIM_DATA_DIR' | 'checkout' | 'platform';
}

/** @param root folder of the checkout */
export function dataFolderOf(environment: Readonly<Record<string, string | undefined>>, root: string): DataFolder;

/** The file of the database, absolute, or the sentence that refuses what SIM_DATABASE_URL says. */
export function databaseFileOf(
  dataDir: string,
  url: string | null | undefined,
): { readonly file: string } | { readonly refusal: string };
