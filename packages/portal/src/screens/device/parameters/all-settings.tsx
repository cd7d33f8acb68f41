import { Button, Checkbox, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Hint, List, Soft } from '../../../components/layout.tsx';
import { isFound, settingTexts } from '../../../parts/settings/setting-texts.ts';
import { Empty } from '../../../parts/states.tsx';
import { texts } from '../texts/index.ts';
import type { SettingListProps } from './everyday-settings.tsx';
import { inGroups, type GroupName } from './setting-groups.ts';
import styles from './settings.module.css';

/** Shown when they are asked for: slots are many, and nobody should switch the device off in passing. */
const CLOSED = new Set<GroupName>(['slots', 'switches']);

/** All settings of the device, for installers: by group, and found by what they are called. */
export function AllSettings({ settings, row, read, isReading }: SettingListProps): ReactNode {
  const t = texts.useTexts();
  const words = settingTexts.useTexts();
  const [search, setSearch] = useState('');
  const [onlyWritable, setOnlyWritable] = useState(false);
  const shown = settings.filter(
    (setting) => (!onlyWritable || setting.writable) && isFound(words, setting, search),
  );
  return (
    <>
      <Soft>{t.settingsLead}</Soft>
      <div className={styles.tools}>
        <TextInput
          type="search"
          aria-label={t.searchSettings}
          placeholder={t.searchSettings}
          value={search}
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
          maxLength={100}
        />
        <Checkbox
          label={t.onlyWritable}
          checked={onlyWritable}
          onChange={({ currentTarget }) => setOnlyWritable(currentTarget.checked)}
        />
        {read && (
          <Button
            variant="default"
            loading={isReading}
            disabled={shown.length === 0}
            onClick={() => read(shown)}
          >
            {t.readAll}
          </Button>
        )}
      </div>
      {shown.length === 0 && <Empty title={t.nothingFound} />}
      {inGroups(shown).map(([name, members]) => (
        // Who searches has found what is left.
        <details
          key={name}
          className={styles.group}
          data-group={name}
          open={!CLOSED.has(name) || search.trim() !== ''}
        >
          <summary>
            <h2>{t.settingGroups[name]}</h2>
            <span className={styles.number}>{members.length}</span>
          </summary>
          {name === 'switches' && <Hint fault>{t.switchesLead}</Hint>}
          {read && (
            <Button
              variant="default"
              size="xs"
              loading={isReading}
              aria-label={t.readGroupName(t.settingGroups[name])}
              onClick={() => read(members)}
            >
              {t.readGroup}
            </Button>
          )}
          <List boxed>{members.map(row)}</List>
        </details>
      ))}
    </>
  );
}
