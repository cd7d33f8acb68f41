import { useEffect, useRef, type RefObject } from 'react';

/**
 * Leads to the first field of a form that something is wrong with, which may be far from the button.
 * @param attempts how often the form was submitted with something missing
 * @param error of the request that it made
 */
export function useFirstFault(attempts: number, error: unknown): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (attempts === 0 && !error) return;
    const field = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    // A field that has the cursor already would not come into view.
    field?.scrollIntoView({ block: 'center' });
    field?.focus({ preventScroll: true });
  }, [attempts, error]);
  return form;
}
