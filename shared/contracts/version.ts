/** Version of Parley; the same as in every package.json (a check of `npm run verify`). */
export const VERSION = '0.1.0';
