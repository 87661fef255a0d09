import type { ModelInstall } from '@parley/shared/contracts';

/** Whether an install is still under way. */
export const isUnderWay = ({ status }: ModelInstall): boolean =>
  status === 'queued' || status === 'downloading' || status === 'verifying';

/**
 * What ended between two looks at the list of installs. One that was under way before and is not listed any more was taken
 * off by somebody, so there is nothing to say of it.
 */
export function endedSince(before: readonly ModelInstall[], now: readonly ModelInstall[]): ModelInstall[] {
  const ran = new Set(before.filter(isUnderWay).map((install) => install.id));
  return now.filter((install) => ran.has(install.id) && !isUnderWay(install));
}

const BYTES_PER_GIGABYTE = 1e9;
const BYTES_PER_MEGABYTE = 1e6;

/** Bytes for people: 2.5 GB, 640 MB. */
export function bytesText(bytes: number, language: string): string {
  const [value, unit, digits] =
    bytes >= BYTES_PER_GIGABYTE
      ? ([bytes / BYTES_PER_GIGABYTE, 'GB', 1] as const)
      : ([bytes / BYTES_PER_MEGABYTE, 'MB', 0] as const);
  return `${value.toLocaleString(language, { maximumFractionDigits: digits })} ${unit}`;
}
