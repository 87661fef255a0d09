interface PortraitProps {
  readonly url: string;
  /** Empty where the name stands beside it. */
  readonly alt: string;
  readonly className?: string | undefined;
}

/**
 * A picture of a pack. It is asked for with CORS: between two ports of an IP address browsers hold even a resource that
 * is open to its own site to be a stranger's, and the API names the page's origin.
 */
export function Portrait({ url, alt, className }: PortraitProps) {
  return <img className={className} src={url} alt={alt} crossOrigin="anonymous" width="320" height="320" />;
}
