import { useEffect, useRef, type ReactNode } from 'react';

interface PageHeadingProps {
  /** The title of the page, where its heading alone would not tell it from others. */
  readonly title?: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

const PRODUCT = 'Helioport';

/** The address of the heading before this one; undefined: this is the first of the document. */
let formerAddress: string | undefined;

/** The one heading of a page, which also names it in the browser, and has the focus after navigation (WCAG 2.2, 2.4.2 and 2.4.3). */
export function PageHeading({ title, className, children }: PageHeadingProps): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title ?? heading.current!.textContent} · ${PRODUCT}`;
  });
  useEffect(() => {
    if (formerAddress !== undefined) takeFocus(heading.current!, formerAddress);
    formerAddress = location.pathname;
    return () => void (document.title = PRODUCT);
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1} className={className}>
      {children}
    </h1>
  );
}

function takeFocus(heading: HTMLElement, former: string): void {
  const { activeElement } = document;
  const isLost = activeElement === null || activeElement === document.body;
  // A page may have given it to its first field.
  const isHere = heading.closest('main')?.contains(activeElement) === true;
  if (isLost || (!isHere && former !== location.pathname)) heading.focus({ preventScroll: true });
}
