/** An install that cannot succeed as it was asked for; the message is for a person. */
export class DownloadError extends Error {
  /** @param isFinal Trying again would not help, and what is here already is of no use. */
  constructor(
    message: string,
    readonly isFinal = false,
  ) {
    super(message);
    this.name = 'DownloadError';
  }
}
