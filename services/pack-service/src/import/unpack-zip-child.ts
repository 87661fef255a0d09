import { finding } from './finding';
import { isOutOfRoom, NO_ROOM_LEFT } from './out-of-room';
import { unpackZip } from './unpack-zip';

/** A process of its own for one archive of a stranger: when parsing it goes wrong, only this dies. */
const [zipPath = '', folder = ''] = process.argv.slice(2);

void unpackZip(zipPath, folder)
  .catch((error: unknown) =>
    isOutOfRoom(error)
      ? NO_ROOM_LEFT
      : [finding({ rule: 'zip.invalid', file: '', message: 'The archive cannot be read.' })],
  )
  .then((answer) => process.send?.(answer, () => process.exit(0)));
process.once('disconnect', () => process.exit(1));
