import { Link } from '@tanstack/react-router';
import { ActionIcon, Menu, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/active-language.tsx';
import { languages, type Language } from '../../i18n/languages.ts';
import { CheckIcon, PersonIcon } from '../../parts/icons.tsx';
import { useSession } from '../../session/session-context.ts';
import { texts } from '../texts/index.ts';
import styles from './account-menu.module.css';

const LOOKS: readonly MantineColorScheme[] = ['auto', 'light', 'dark'];

/** Who is signed in, the language, light or dark, and the way out. */
export function AccountMenu(): ReactNode {
  const t = texts.useTexts();
  const { language, choose } = useLanguage();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { session, end } = useSession();
  return (
    <Menu position="bottom-end" width="15rem" closeOnItemClick={false}>
      <Menu.Target>
        <ActionIcon variant="default" size="lg" radius="xl" aria-label={t.menu}>
          <PersonIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {session?.account && (
          <>
            <div className={styles.who}>
              {t.signedInAs}
              <strong>{session.account.email}</strong>
            </div>
            <Menu.Item component={Link} to="/account" closeMenuOnClick>
              {t.account}
            </Menu.Item>
            <Menu.Divider />
            <Menu.Item closeMenuOnClick component={Link} to="/plants/new">
              {t.newPlant}
            </Menu.Item>
            <Menu.Item closeMenuOnClick component={Link} to="/invitations">
              {t.invitations}
            </Menu.Item>
            <Menu.Divider />
          </>
        )}
        <Menu.Label>{t.language}</Menu.Label>
        {(Object.keys(languages) as Language[]).map((one) => (
          <Menu.Item
            key={one}
            lang={one}
            role="menuitemradio"
            aria-checked={one === language}
            rightSection={one === language && <CheckIcon size={16} />}
            onClick={() => choose(one)}
          >
            {languages[one]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label>{t.look}</Menu.Label>
        {LOOKS.map((look) => (
          <Menu.Item
            key={look}
            role="menuitemradio"
            aria-checked={look === colorScheme}
            rightSection={look === colorScheme && <CheckIcon size={16} />}
            onClick={() => setColorScheme(look)}
          >
            {t[look as 'auto' | 'light' | 'dark']}
          </Menu.Item>
        ))}
        {session?.account && (
          <>
            <Menu.Divider />
            <Menu.Item closeMenuOnClick onClick={() => void end()}>
              {t.signOut}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
