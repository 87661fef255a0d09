/** Reads digits with the separators of any country; null for dates, clock times and the like. */
export function valueOfDigits(digits: string): number | null {
  if (!/^[0-9]/.test(digits) || digits.length > 24) return null;
  const plain = digits.replace(/[\u00a0\u2009\u202f ]/g, ' ');
  const grouped = /^([1-9]\d{0,2})((?:([.,' \u2019])\d{3})(?:\3\d{3})*)(?:[.,](\d{1,2}))?$/.exec(plain);
  if (grouped !== null) {
    const [, first = '', groups = '', separator, decimals = ''] = grouped;
    // 1.500.50 has one separator for two meanings.
    if (decimals !== '' && plain.at(-decimals.length - 1) === separator) return null;
    return Number(`${first}${groups.replace(/\D/g, '')}.${decimals || '0'}`);
  }
  if (/^\d+$/.test(plain)) return Number(plain);
  return /^\d+[.,]\d+$/.test(plain) ? Number(plain.replace(',', '.')) : null;
}
