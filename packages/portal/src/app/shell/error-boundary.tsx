import { Component, type ReactNode } from 'react';
import { Failed } from '../../parts/states.tsx';

interface State {
  readonly error: unknown;
}

/** Shows what went wrong in place of the part of the page that failed. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, State> {
  override readonly state: State = { error: undefined };

  static getDerivedStateFromError(error: unknown): State {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    return error === undefined ? this.props.children : <Failed error={error} again={() => this.setState({ error: undefined })} />;
  }
}
