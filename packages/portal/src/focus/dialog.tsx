import { Modal, type ModalProps } from '@mantine/core';
import { useLayoutEffect, type ReactNode } from 'react';

const DIALOG = '[role="dialog"][aria-modal="true"]';

/** What had the focus before the dialog that was closed last. */
let formerOpener: Element | null = null;
let openDialogs = 0;

/** A modal dialog that keeps the focus while it is open, and gives it back when it closes or goes (WCAG 2.2, 2.4.3). */
export function Dialog(props: ModalProps): ReactNode {
  useKeptFocus(props.opened);
  return <Modal {...props} returnFocus={false} />;
}

function useKeptFocus(isOpen: boolean): void {
  // What opened it still has the focus: the dialog takes it a moment later.
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    const opener = isFocusLost() ? formerOpener : document.activeElement;
    const release = keepFocus();
    openDialogs += 1;
    return () => {
      release();
      openDialogs -= 1;
      formerOpener = opener;
      setTimeout(() => giveBack(opener));
    };
  }, [isOpen]);
}

const isFocusLost = (): boolean =>
  document.activeElement === null || document.activeElement === document.body;

const topDialog = (): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>(DIALOG)].at(-1);

const isUsable = (element: Element | null): element is HTMLElement =>
  element instanceof HTMLElement && element.isConnected && !element.matches(':disabled');

/** A button that is disabled while its work is done, or removed by it, loses the focus: it waits at the dialog. */
function keepFocus(): () => void {
  let last: Element | null = null;
  const keep = (): void => {
    const dialog = topDialog();
    const { activeElement } = document;
    if (!dialog) return;
    if (isFocusLost()) dialog.focus({ preventScroll: true });
    else if (activeElement === dialog && isUsable(last) && dialog.contains(last))
      last.focus({ preventScroll: true });
    else if (activeElement !== dialog) last = activeElement;
  };
  const note = ({ target }: FocusEvent): void => {
    if (target !== topDialog()) last = target as Element;
  };
  const changes = new MutationObserver(keep);
  changes.observe(document.body, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ['disabled'],
  });
  document.addEventListener('focusin', note);
  return () => {
    changes.disconnect();
    document.removeEventListener('focusin', note);
  };
}

function giveBack(opener: Element | null): void {
  const { activeElement } = document;
  // Navigation has given it to the next page.
  if (!isFocusLost() && activeElement?.closest(DIALOG) === null) return;
  // The next dialog has opened in its place, and takes it.
  if (openDialogs > 0 && !opener?.closest(DIALOG)) return;
  const target = isUsable(opener) ? opener : document.querySelector<HTMLElement>('main h1');
  target?.focus({ preventScroll: true });
}
