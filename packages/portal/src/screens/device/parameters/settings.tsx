import { Alert, SegmentedControl } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Hint } from '../../../components/layout.tsx';
import { type Setting, settingTexts } from '../../../parts/settings/setting-texts.ts';
import { unmetPrerequisite, withOption } from '../../../parts/settings/unmet-prerequisite.ts';
import { useFirstReading } from '../../../parts/settings/use-first-reading.ts';
import { useReading } from '../../../parts/settings/use-reading.ts';
import { Failed, Loading } from '../../../parts/states.tsx';
import { useOperation } from '../../../wire/queries.ts';
import { texts } from '../texts/index.ts';
import { AllSettings } from './all-settings.tsx';
import { EverydaySettings } from './everyday-settings.tsx';
import { everydayOf } from './setting-groups.ts';
import { SettingRow } from './setting-row.tsx';
import { useDeviceSearch } from '../use-device-search.ts';
import { WriteDialog } from './write-dialog.tsx';

interface SettingsProps {
  readonly sn: string;
  /** The device and its plant, by their names. */
  readonly place: string;
  readonly plantId: string;
  readonly zone: string;
  /** Whether its collector is online. */
  readonly isReachable: boolean;
}

/** The setting that is being changed, and the value that is proposed for it. */
interface Changing {
  readonly parameter: string | undefined;
  readonly proposed?: string;
}

/** The settings of an inverter: read from it, and changed by those who may. What owners change is shown first, and read at once. */
export function DeviceSettings({
  sn,
  place,
  plantId,
  zone,
  isReachable,
}: SettingsProps): ReactNode {
  const t = texts.useTexts();
  const words = settingTexts.useTexts();
  const {
    data: settings,
    error: settingsError,
    refetch,
  } = useOperation('command/parameters', { sn });
  const { data: may, error: mayError } = useOperation('control/state', { plantId });
  const [{ settings: view = 'everyday' }, change] = useDeviceSearch();
  const [changing, setChanging] = useState<Changing>();
  const reading = useReading(sn);
  const everyday = settings && everydayOf(settings);
  const canRead = may?.mayRead === true && isReachable;
  useFirstReading(reading, canRead ? everyday : undefined);
  const error = settingsError ?? mayError;
  if (!settings || !everyday || !may)
    return error ? <Failed error={error} again={() => void refetch()} /> : <Loading />;

  const changed = settings.find(({ parameter }) => parameter === changing?.parameter);
  const changedPrerequisite = changed && unmetPrerequisite(changed, settings);
  const hint = !may.mayRead
    ? t.mayNotWrite
    : !may.mayWrite
      ? t.stopped
      : settings.every(({ writable }) => !writable)
        ? t.unknownModel
        : !isReachable && words.unreachable;
  const openOf = (setting: Setting | undefined): (() => void) | undefined =>
    may.mayWrite && setting?.writable
      ? () => setChanging({ parameter: setting.parameter })
      : undefined;
  const openPrerequisite = (
    setting: Setting,
    prerequisite: Setting | undefined,
  ): (() => void) | undefined =>
    prerequisite &&
    openOf(prerequisite) &&
    (() =>
      setChanging({
        parameter: prerequisite.parameter,
        proposed: withOption(setting, prerequisite),
      }));
  const shown = everyday.length === 0 ? 'all' : view;
  const read = canRead
    ? (members: readonly Setting[]): void =>
        void reading.read(members.map(({ parameter }) => parameter!))
    : undefined;
  const row = (setting: Setting): ReactNode => {
    const prerequisite = unmetPrerequisite(setting, settings);
    return (
      <SettingRow
        key={setting.parameter}
        setting={setting}
        prerequisite={prerequisite}
        zone={zone}
        isNumbered={shown === 'all'}
        isReading={reading.under.has(setting.parameter!)}
        onRead={shown === 'all' && read ? () => read([setting]) : undefined}
        onChange={openOf(setting)}
        onPrerequisite={openPrerequisite(setting, prerequisite)}
      />
    );
  };
  const list = { row, read, isReading: reading.under.size > 0 };
  return (
    <>
      <div>
        {everyday.length > 0 && (
          <SegmentedControl
            aria-label={t.settingViews}
            value={view}
            onChange={(next) => change({ settings: next === 'all' ? next : undefined })}
            data={[
              { value: 'everyday', label: t.everyday },
              { value: 'all', label: t.allSettings },
            ]}
          />
        )}
        <div role="status">
          {reading.fault && (
            <Alert color="yellow" mt="sm">
              {reading.fault}
            </Alert>
          )}
        </div>
      </div>
      {hint && <Hint>{hint}</Hint>}
      {shown === 'all' ? (
        <AllSettings settings={settings} {...list} />
      ) : (
        <EverydaySettings settings={everyday} {...list} />
      )}
      {changed && (
        <WriteDialog
          key={changed.parameter}
          sn={sn}
          plantId={plantId}
          place={place}
          setting={changed}
          proposed={changing?.proposed}
          prerequisite={changedPrerequisite}
          onPrerequisite={openPrerequisite(changed, changedPrerequisite)}
          zone={zone}
          isReachable={isReachable}
          reading={reading}
          onClose={() => setChanging(undefined)}
        />
      )}
    </>
  );
}
