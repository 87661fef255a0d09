import { useEffect, useRef, type ReactNode } from 'react';
import { useMessages } from '../messages/use-messages';

/** The first page of a visit leaves the focus where the browser put it; every later one takes it to its heading. */
let pagesSeen = 0;

interface PageHeadingProps {
  /** Plain text for the title of the window. */
  readonly title: string;
  readonly children?: ReactNode;
  readonly hidden?: boolean;
}

export function PageHeading({ title, children, hidden = false }: PageHeadingProps) {
  const { app } = useMessages();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = title === app.name ? title : `${title} · ${app.name}`;
  }, [title, app.name]);
  useEffect(() => {
    if (pagesSeen > 0) {
      heading.current?.focus({ preventScroll: true });
      window.scrollTo(0, 0);
    }
    pagesSeen += 1;
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1} dir="auto" className={hidden ? 'visually-hidden' : undefined}>
      {children ?? title}
    </h1>
  );
}
