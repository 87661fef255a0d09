import { finding } from './finding';
import { unpackZip } from './unpack-zip';

/** A process of its own for one archive of a stranger: when parsing it goes wrong, only this dies. */
const [zipPath = '', folder = ''] = process.argv.slice(2);

unpackZip(zipPath, folder).then(
  (findings) => process.send?.(findings, () => process.exit(0)),
  () =>
    process.send?.([finding({ rule: 'zip.invalid', file: '', message: 'The archive cannot be read.' })], () =>
      process.exit(0),
    ),
);
process.once('disconnect', () => process.exit(1));
