import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef, type RefObject } from 'react';

/** Leads somebody who has come for a section of a page to it. */
export function useArrival(
  isMeant: boolean,
  lead: (section: HTMLElement) => void,
): RefObject<HTMLElement | null> {
  const section = useRef<HTMLElement>(null);
  const how = useRef(lead);
  const router = useRouter();
  useEffect(() => {
    if (!isMeant) return undefined;
    const go = (): void => {
      section.current?.scrollIntoView();
      if (section.current) how.current(section.current);
    };
    go();
    // The router begins each page at its top, perhaps only now.
    return router.subscribe('onRendered', go);
  }, [isMeant, router]);
  return section;
}
