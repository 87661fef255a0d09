import type { ReactNode } from 'react';

interface QuotedProps {
  readonly title: string;
  readonly text: string;
  readonly aside?: ReactNode;
}

/** Words of a person or a pack below the small title that says whose they are. */
export function Quoted({ title, text, aside }: QuotedProps) {
  return (
    <div>
      <p className="label">
        {title}
        {aside}
      </p>
      <p className="reading" dir="auto">
        {text}
      </p>
    </div>
  );
}
