import { useState } from 'react';

interface Copying {
  /** Where copying is not allowed: makes it easy to do by hand. */
  readonly select?: (() => void) | undefined;
  readonly onCopied?: (() => void) | undefined;
}

/** A text to take along: whether it has been copied as it is now, and how to copy it. */
export function useCopy(
  text: string,
  { select, onCopied }: Copying = {},
): { readonly isCopied: boolean; readonly copy: () => void } {
  const [copied, setCopied] = useState<string>();
  const write = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(text);
      onCopied?.();
    } catch {
      // Pages without TLS have no clipboard.
      select?.();
    }
  };
  return { isCopied: copied === text, copy: () => void write() };
}
