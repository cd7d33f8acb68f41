import { Alert, Button, Checkbox, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Empty, Failed, Loading } from '../../../parts/states.tsx';
import { useOperation } from '../../../wire/queries.ts';
import { texts } from '../texts/index.ts';
import { inGroups } from './setting-groups.ts';
import { SettingRow } from './setting-row.tsx';
import { isFound, type Setting, settingTexts } from '../../../parts/settings/setting-texts.ts';
import styles from './settings.module.css';
import { useReading } from './use-reading.ts';
import { WriteDialog } from './write-dialog.tsx';
import { unmetPrerequisite } from './unmet-prerequisite.ts';

interface SettingsProps {
  readonly sn: string;
  /** The device and its plant, by their names. */
  readonly place: string;
  readonly plantId: string;
  readonly zone: string;
  /** Whether its collector is online. */
  readonly isReachable: boolean;
}

/** The settings of an inverter: read from it, and changed by those who may. */
export function Settings({ sn, place, plantId, zone, isReachable }: SettingsProps): ReactNode {
  const t = texts.useTexts();
  const words = settingTexts.useTexts();
  const settings = useOperation('command/parameters', { sn });
  const { data: may, error: mayError } = useOperation('control/state', { plantId });
  const [search, setSearch] = useState('');
  const [onlyWritable, setOnlyWritable] = useState(false);
  const [changing, setChanging] = useState<string>();
  const reading = useReading(sn);
  const error = settings.error ?? mayError;
  if (!settings.data || !may) return error ? <Failed error={error} again={() => void settings.refetch()} /> : <Loading />;

  const shown = settings.data.filter((setting) => (!onlyWritable || setting.writable) && isFound(words, setting, search));
  const changed = settings.data.find(({ parameter }) => parameter === changing);
  const changedPrerequisite = changed && unmetPrerequisite(changed, settings.data);
  const hint = !may.mayRead
    ? t.mayNotWrite
    : !may.mayWrite
      ? t.stopped
      : settings.data.every(({ writable }) => !writable)
        ? t.unknownModel
        : !isReachable && t.unreachable;
  const canRead = may.mayRead && isReachable;
  const openOf = (setting: Setting | undefined): (() => void) | undefined =>
    may.mayWrite && setting?.writable ? () => setChanging(setting.parameter) : undefined;
  return (
    <>
      <p className={styles.lead}>{t.settingsLead}</p>
      {hint && <p className={styles.hint}>{hint}</p>}
      <div className={styles.tools}>
        <TextInput
          type="search"
          aria-label={t.searchSettings}
          placeholder={t.searchSettings}
          value={search}
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
          maxLength={100}
        />
        <Checkbox label={t.onlyWritable} checked={onlyWritable} onChange={({ currentTarget }) => setOnlyWritable(currentTarget.checked)} />
        {canRead && (
          <Button
            variant="default"
            loading={reading.under.size > 0}
            disabled={shown.length === 0}
            onClick={() => void reading.read(shown.map(({ parameter }) => parameter!))}
          >
            {t.readAll}
          </Button>
        )}
      </div>
      <div role="status">{reading.fault && <Alert color="yellow">{reading.fault}</Alert>}</div>
      {shown.length === 0 && <Empty title={t.nothingFound} />}
      {inGroups(shown).map(([name, members]) => (
        // Slots are many; who searches has found what is left.
        <details key={name} className={styles.group} open={name !== 'slots' || search.trim() !== ''}>
          <summary>
            <h2>{t.settingGroups[name]}</h2>
            <span className={styles.number}>{members.length}</span>
          </summary>
          {canRead && (
            <Button
              className={styles.all}
              variant="default"
              size="xs"
              loading={reading.under.size > 0}
              aria-label={t.readGroupName(t.settingGroups[name])}
              onClick={() => void reading.read(members.map(({ parameter }) => parameter!))}
            >
              {t.readGroup}
            </Button>
          )}
          <ul className={styles.settings}>
            {members.map((setting) => {
              const prerequisite = unmetPrerequisite(setting, settings.data);
              return (
                <SettingRow
                  key={setting.parameter}
                  setting={setting}
                  prerequisite={prerequisite}
                  zone={zone}
                  isReading={reading.under.has(setting.parameter!)}
                  onRead={canRead ? () => void reading.read([setting.parameter!]) : undefined}
                  onChange={openOf(setting)}
                  onPrerequisite={openOf(prerequisite)}
                />
              );
            })}
          </ul>
        </details>
      ))}
      {changed && (
        <WriteDialog
          key={changed.parameter}
          sn={sn}
          plantId={plantId}
          place={place}
          setting={changed}
          prerequisite={changedPrerequisite}
          onPrerequisite={openOf(changedPrerequisite)}
          zone={zone}
          isReachable={isReachable}
          reading={reading}
          onClose={() => setChanging(undefined)}
        />
      )}
    </>
  );
}
