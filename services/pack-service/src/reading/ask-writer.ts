import { timeLimitOf } from '@parley/shared/client';
import { ServiceError } from '@parley/shared/contracts';
import { passOn, type Forward } from '@parley/shared/service';

/** Marks what a reader passes on, as HTTP has it for whoever stands in between. */
const VIA = '1.1 parley-pack-reader';

const unavailable = (message: string, cause?: unknown): ServiceError =>
  new ServiceError('SERVICE_UNAVAILABLE', message, { details: { service: 'pack_service' }, cause });

const away = (cause: unknown): ServiceError =>
  unavailable(
    'Talks can be played, but packs cannot be changed: the pack service that writes them cannot be reached. Start it, then try again.',
    cause,
  );

/** Otherwise a wrong address would have readers ask each other for ever. */
const noWriter = (): ServiceError =>
  unavailable(
    'Packs cannot be changed: SIM_PACKS_WRITER_URL leads to a pack service that only reads. Set it to the address of the one that writes.',
  );

/**
 * Passes calls on to the pack-service that writes, bodies and answers streamed.
 * @throws ServiceError SERVICE_UNAVAILABLE when it cannot be reached, or another reader is in its place.
 */
export const askWriter =
  (writerUrl: string, peerTimeoutMs: number): Forward =>
  async (route, request) => {
    if (request.raw.headers.via?.includes(VIA) === true) throw noWriter();
    return passOn(request, `${writerUrl}${request.raw.url ?? '/'}`, {
      silenceMs: timeLimitOf(route, peerTimeoutMs),
      unreachable: away,
      headers: { via: VIA },
      // Whoever asked this process counts how long it is silent.
      onInterim: request.stillWorking,
    });
  };
