import { Component, type ReactNode } from 'react';

/** What is left when even the texts of the portal could not be loaded. */
export class LastResort extends Component<
  { readonly children: ReactNode },
  { readonly hasFailed: boolean }
> {
  override readonly state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: true } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <main role="alert" lang="en">
        <h1>Helioport could not be loaded</h1>
        <p>The connection to the server was lost while the page was loading.</p>
        <button type="button" onClick={() => location.reload()}>
          Try again
        </button>
      </main>
    );
  }
}
