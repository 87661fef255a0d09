/** A header field that says this leaves its value to the extra field of the 64-bit form. */
export const IN_EXTRA_FIELD = 0xffffffff;
const DISK_IN_EXTRA_FIELD = 0xffff;
const ZIP64 = 0x0001;
const UNICODE_NAME = 0x7075;

/** What a header says of an entry before its extra fields are looked at. */
export interface HeaderFields {
  readonly name: Buffer;
  readonly compressedSize: number;
  readonly uncompressedSize: number;
  readonly extra: Buffer;
}

/** The truth about an entry, which its extra fields may only repeat. */
export interface EntrySizes {
  readonly compressedSize: number;
  readonly uncompressedSize: number;
}

/** The fields by id; null when they do not fill their room, or one of those that matter is there twice. */
function parseFields(extra: Buffer): ReadonlyMap<number, Buffer> | null {
  const fields = new Map<number, Buffer>();
  let at = 0;
  while (extra.length - at >= 4) {
    const id = extra.readUInt16LE(at);
    const end = at + 4 + extra.readUInt16LE(at + 2);
    if (end > extra.length || ((id === ZIP64 || id === UNICODE_NAME) && fields.has(id))) return null;
    fields.set(id, extra.subarray(at + 4, end));
    at = end;
  }
  // Some writers pad with zeros, so that the data begins at an even address.
  return extra.subarray(at).every((byte) => byte === 0) ? fields : null;
}

/** Whether the name for readers that know Unicode is the name for all others. */
function namesAgree(field: Buffer | undefined, name: Buffer): boolean {
  return field === undefined || (field.length >= 5 && field.readUInt8(0) === 1 && field.subarray(5).equals(name));
}

function valuesOf(field: Buffer): { readonly sizes: number[]; readonly disk: number | null } | null {
  const whole = field.length - (field.length % 8);
  if (field.length - whole !== 0 && field.length - whole !== 4) return null;
  const sizes = Array.from({ length: whole / 8 }, (_, index) => Number(field.readBigUInt64LE(index * 8)));
  return { sizes, disk: field.length === whole ? null : field.readUInt32LE(whole) };
}

/**
 * Whether the extra fields in the central directory say the same as everything else: one name, and 64-bit values where
 * the header leaves them to the field. Values that nothing asks for must be true as well, since some readers believe them.
 */
export function centralFieldsAgree(
  header: HeaderFields & { readonly offset: number; readonly disk: number },
  truth: EntrySizes & { readonly offset: number },
): boolean {
  const fields = parseFields(header.extra);
  if (fields === null || !namesAgree(fields.get(UNICODE_NAME), header.name)) return false;
  const asked = [
    [header.uncompressedSize, truth.uncompressedSize],
    [header.compressedSize, truth.compressedSize],
    [header.offset, truth.offset],
  ].flatMap(([said, value]) => (said === IN_EXTRA_FIELD ? [value] : []));
  const asksForDisk = header.disk === DISK_IN_EXTRA_FIELD;
  const field = fields.get(ZIP64);
  if (field === undefined) return asked.length === 0 && header.disk === 0;
  const values = valuesOf(field);
  if (values === null || (values.disk ?? 0) !== 0) return false;
  if (!asksForDisk && header.disk !== 0) return false;
  if (asksForDisk && values.disk === null) return false;
  const inFull = [truth.uncompressedSize, truth.compressedSize, truth.offset];
  const expected = asked.length === 0 ? inFull.slice(0, values.sizes.length) : asked;
  return values.sizes.length === expected.length && values.sizes.every((value, index) => value === expected[index]);
}

/**
 * The same for the header beside an entry's data. Both sizes stand in the 64-bit field there; where the sizes come after
 * the data, they may be left 0.
 */
export function localFieldsAgree(header: HeaderFields, truth: EntrySizes, hasDescriptor: boolean): boolean {
  const fields = parseFields(header.extra);
  if (fields === null || !namesAgree(fields.get(UNICODE_NAME), header.name)) return false;
  const field = fields.get(ZIP64);
  const pairs = [
    [header.uncompressedSize, truth.uncompressedSize],
    [header.compressedSize, truth.compressedSize],
  ] as const;
  if (field === undefined) return pairs.every(([said]) => said !== IN_EXTRA_FIELD);
  const values = valuesOf(field);
  if (values === null || values.disk !== null || values.sizes.length !== 2) return false;
  return pairs.every(([, value], index) => {
    const said = values.sizes[index];
    return said === value || (hasDescriptor && said === 0);
  });
}
