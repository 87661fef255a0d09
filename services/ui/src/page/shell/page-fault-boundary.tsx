import { Component, type ReactNode } from 'react';
import { useMessages } from '../messages/use-messages';

/** A fault in one page leaves header and navigation standing. */
export class PageFaultBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    return this.state.failed ? <PageFault /> : this.props.children;
  }
}

function PageFault() {
  const { app } = useMessages();
  return (
    <div className="page">
      <div className="notice" role="alert">
        <h1>{app.broken}</h1>
        <p>{app.brokenHint}</p>
        <div className="actions">
          <button type="button" className="button button-primary" onClick={() => window.location.reload()}>
            {app.reload}
          </button>
        </div>
      </div>
    </div>
  );
}
