import { ActionIcon } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { PersonIcon } from '../../parts/icons.tsx';
import { texts } from '../texts/index.ts';
import type { AccountMenuItems } from './account-menu-items.tsx';
import styles from './account-menu.module.css';
import { useOpenInvitations } from './use-open-invitations.ts';

const loadItems = (): Promise<{ readonly AccountMenuItems: typeof AccountMenuItems }> =>
  import('./account-menu-items.tsx');

/** The button in the corner. Its menu is loaded when it is wanted: what places menus is a tenth of all scripts that the first page would need. */
export function AccountMenu(): ReactNode {
  const t = texts.useTexts();
  const invitations = useOpenInvitations();
  const [Items, setItems] = useState<typeof AccountMenuItems>();
  // Without a connection it stays closed; the next click tries again.
  const prepare = (): void => void loadItems().catch(() => undefined);
  const open = (): void =>
    void loadItems().then(
      (module) => setItems(() => module.AccountMenuItems),
      () => undefined,
    );
  const button = (
    <ActionIcon
      variant="default"
      size="lg"
      radius="xl"
      aria-haspopup="menu"
      aria-label={
        invitations === 0 ? t.menu : `${t.menu} (${invitations}): ${t.invited(invitations)}`
      }
      className={styles.person}
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- with its menu it is another element, which takes over the focus
      autoFocus={Items !== undefined}
      {...(!Items && { onClick: open, onPointerEnter: prepare, onFocus: prepare })}
    >
      <PersonIcon />
      {invitations > 0 && <span className={styles.badge} data-open={invitations} />}
    </ActionIcon>
  );
  return Items ? <Items invitations={invitations}>{button}</Items> : button;
}
