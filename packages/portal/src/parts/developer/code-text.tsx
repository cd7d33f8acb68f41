import { Fragment, type ReactNode } from 'react';

/** A text of the contract: what stands between backticks is code. */
export function CodeText({ text }: { readonly text: string }): ReactNode {
  return text.split('`').map((part, i) =>
    i % 2 === 1 ? (
      // oxlint-disable-next-line react/no-array-index-key
      <code key={i}>{part}</code>
    ) : (
      // oxlint-disable-next-line react/no-array-index-key
      <Fragment key={i}>{part}</Fragment>
    ),
  );
}
