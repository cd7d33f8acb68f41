import { ActionIcon, Menu, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/active-language.tsx';
import { languages, type Language } from '../../i18n/languages.ts';
import { PersonIcon } from '../../parts/icons.tsx';
import { useSession } from '../../session/session-context.ts';
import { call } from '../../wire/call.ts';
import { texts } from '../texts/index.ts';
import styles from './account-menu.module.css';
import { useOpenInvitations } from './use-open-invitations.ts';

const LOOKS = ['auto', 'light', 'dark'] as const satisfies readonly MantineColorScheme[];

/** Who is signed in, the language, light or dark, and the way out. */
export function AccountMenu(): ReactNode {
  const t = texts.useTexts();
  const { language, choose } = useLanguage();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { session, end } = useSession();
  const invitations = useOpenInvitations();
  const speak = (chosen: Language): void => {
    choose(chosen);
    // If the server does not answer, the choice is kept on this device alone.
    if (session?.account) void call('account/language', { language: chosen }).catch(() => {});
  };
  return (
    <Menu position="bottom-end" width="15rem" closeOnItemClick={false}>
      <Menu.Target>
        <ActionIcon
          variant="default"
          size="lg"
          radius="xl"
          aria-label={invitations === 0 ? t.menu : `${t.menu} (${invitations}): ${t.invited(invitations)}`}
          className={styles.person}
        >
          <PersonIcon />
          {invitations > 0 && <span className={styles.badge} data-open={invitations} />}
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
            {session.account.role !== 'operator' && (
              <>
                <Menu.Divider />
                <Menu.Item closeMenuOnClick component={Link} to="/plants/new">
                  {t.newPlant}
                </Menu.Item>
                <Menu.Item closeMenuOnClick component={Link} to="/invitations">
                  {t.invitations}
                  {invitations > 0 && ` (${invitations})`}
                </Menu.Item>
                <Menu.Item closeMenuOnClick component={Link} to="/company">
                  {t.company}
                </Menu.Item>
                <Menu.Item closeMenuOnClick component={Link} to="/account/export">
                  {t.yourData}
                </Menu.Item>
                <Menu.Item closeMenuOnClick component={Link} to="/developer">
                  {t.developer}
                </Menu.Item>
              </>
            )}
            <Menu.Divider />
          </>
        )}
        <Menu.Label>{t.language}</Menu.Label>
        <Menu.RadioGroup value={language} onChange={(chosen) => speak(chosen as Language)}>
          {(Object.keys(languages) as Language[]).map((one) => (
            <Menu.RadioItem key={one} value={one} lang={one}>
              {languages[one]}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Label>{t.look}</Menu.Label>
        <Menu.RadioGroup value={colorScheme} onChange={(look) => setColorScheme(look as MantineColorScheme)}>
          {LOOKS.map((look) => (
            <Menu.RadioItem key={look} value={look}>
              {t[look]}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
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
