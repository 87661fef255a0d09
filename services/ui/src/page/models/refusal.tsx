import { ApiError } from '../client/api-error';
import { useMessages } from '../messages/use-messages';
import { Failure } from '../shell/failure';

/** A refusal: that the runtime cannot do such a thing at all is said first, then what the service says of it. */
export function Refusal({ title, error }: { title: string; error: unknown }) {
  const { models } = useMessages();
  const isUnable = ApiError.from(error).code === 'NOT_SUPPORTED_BY_RUNTIME';
  return <Failure title={isUnable ? models.cannot : title} error={error} />;
}
