import { Menu, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useState, type ReactElement, type ReactNode } from 'react';
import { languages, type Language } from '../../i18n/languages.ts';
import { COLOUR_SCHEMES } from '../../parts/colour-schemes.ts';
import { texts as ofParts } from '../../parts/texts/index.ts';
import { useSession } from '../../session/session-context.ts';
import { useLanguageChoice } from '../../session/use-language-choice.ts';
import { texts } from '../texts/index.ts';
import styles from './account-menu.module.css';

interface AccountMenuItemsProps {
  /** Number of open invitations. */
  readonly invitations: number;
  /** The button that opens it. */
  readonly children: ReactElement;
}

/** The menu itself, open at first, since it is loaded when it is wanted: who is signed in, at most seven ways, and the way out; for others the language, and light or dark. */
export function AccountMenuItems({ invitations, children }: AccountMenuItemsProps): ReactNode {
  const t = texts.useTexts();
  const { preferences } = ofParts.useTexts();
  const { language, choose } = useLanguageChoice();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { session, end } = useSession();
  const [isOpen, setOpen] = useState(false);
  // Only then does closing it lead back to the button.
  useEffect(() => {
    const frame = requestAnimationFrame(() => setOpen(true));
    return () => cancelAnimationFrame(frame);
  }, []);
  return (
    <Menu
      position="bottom-end"
      width="15rem"
      closeOnItemClick={false}
      opened={isOpen}
      onChange={setOpen}
    >
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown className={styles.menu}>
        {session?.account && (
          <>
            <div className={styles.who}>
              {t.signedInAs}
              <strong>{session.account.email}</strong>
            </div>
            <Menu.Item closeMenuOnClick component={Link} to="/account">
              {t.account}
            </Menu.Item>
            <Menu.Item closeMenuOnClick component={Link} to="/account" hash="preferences">
              {t.preferences}
            </Menu.Item>
            {session.account.role !== 'operator' && (
              <>
                <Menu.Item closeMenuOnClick component={Link} to="/plants/new">
                  {t.newPlant}
                </Menu.Item>
                <Menu.Item closeMenuOnClick component={Link} to="/invitations">
                  {t.invitations}
                  {invitations > 0 && ` (${invitations})`}
                </Menu.Item>
                <Menu.Divider />
                <Menu.Label>{t.service}</Menu.Label>
                <Menu.Item closeMenuOnClick component={Link} to="/keys">
                  {t.keys}
                </Menu.Item>
                <Menu.Item closeMenuOnClick component={Link} to="/developer">
                  {t.developer}
                </Menu.Item>
              </>
            )}
            <Menu.Divider />
            <Menu.Item closeMenuOnClick onClick={() => void end()}>
              {t.signOut}
            </Menu.Item>
          </>
        )}
        {!session?.account && (
          <>
            <Menu.Label>{preferences.language}</Menu.Label>
            <Menu.RadioGroup value={language} onChange={(chosen) => choose(chosen as Language)}>
              {(Object.keys(languages) as Language[]).map((one) => (
                <Menu.RadioItem key={one} value={one} lang={one}>
                  {languages[one]}
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
            <Menu.Divider />
            <Menu.Label>{preferences.look}</Menu.Label>
            <Menu.RadioGroup
              value={colorScheme}
              onChange={(look) => setColorScheme(look as MantineColorScheme)}
            >
              {COLOUR_SCHEMES.map((look) => (
                <Menu.RadioItem key={look} value={look}>
                  {preferences.looks[look]}
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
