import { Tabs } from '@mantine/core';
import { getRouteApi, Link, useLocation } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { connectionIn, type Connected } from '../../parts/plants/connection.ts';
import { Failed, Loading } from '../../parts/states.tsx';
import { useAccount } from '../../session/session-context.ts';
import { useOperation } from '../../wire/queries.ts';
import { aboutOf } from './about.ts';
import { DeviceAlarms } from './alarms/device-alarms.tsx';
import { OpenAlarm } from './alarms/open-alarm.tsx';
import { Commands } from './commands/commands.tsx';
import { DeviceHead } from './device-head.tsx';
import styles from './device.module.css';
import { useDevice, type Device } from './device.ts';
import { History } from './history/history.tsx';
import { Settings } from './parameters/settings.tsx';
import { Readings } from './readings/readings.tsx';
import { texts } from './texts/index.ts';

const route = getRouteApi('/plants/$id/devices/$deviceId');

/** One device: what it reports, what it is set to, and what was done to it. */
export function Screen(): ReactNode {
  const { deviceId } = route.useParams();
  const account = useAccount();
  const device = useDevice(deviceId);
  const plantId = device.data?.record.stationId;
  const plant = useOperation(
    'stationDetail',
    { id: plantId ?? '' },
    { enabled: plantId !== undefined },
  );
  const error = device.error ?? plant.error;
  if (device.data && plant.data) {
    const { stationName = '', timeZoneId = 'UTC' } = plant.data;
    return (
      <DevicePage
        key={deviceId}
        id={deviceId}
        device={device.data}
        plantName={stationName}
        zone={timeZoneId}
        connected={connectionIn({ ...plant.data, measuredAt: plant.data.measuredTime }, timeZoneId)}
        isOwn={plant.data.userId === account.id}
      />
    );
  }
  return error ? (
    <Failed error={error} again={() => void Promise.all([device.refetch(), plant.refetch()])} />
  ) : (
    <Loading />
  );
}

interface PageProps {
  readonly id: string;
  readonly device: Device;
  readonly plantName: string;
  readonly zone: string;
  /** How its plant is connected. */
  readonly connected: Connected;
  readonly isOwn: boolean;
}

function DevicePage({ id, device, plantName, zone, connected, isOwn }: PageProps): ReactNode {
  const t = texts.useTexts();
  // Other pages lead to one of the tabs.
  const { hash } = useLocation();
  const about = aboutOf(device);
  const { sn, plantId } = about;
  const place = `${about.name ?? sn}, ${plantName}`;
  const tabs = [
    [
      'readings',
      <Readings
        key="readings"
        id={id}
        device={device}
        about={about}
        zone={zone}
        connected={connected}
      />,
    ],
    [
      'history',
      <History key="history" plantId={plantId} kind={device.kind} id={id} sn={sn} zone={zone} />,
    ],
    ...(device.kind === 'inverter'
      ? ([
          [
            'settings',
            <Settings
              key="settings"
              sn={sn}
              place={place}
              plantId={plantId}
              zone={zone}
              isReachable={device.record.collectorState === 1}
            />,
          ],
          [
            'commands',
            <Commands key="commands" sn={sn} place={place} plantId={plantId} zone={zone} />,
          ],
        ] as const)
      : []),
    ['alarms', <DeviceAlarms key="alarms" sn={sn} plantId={plantId} />],
  ] as const;
  const [tab, setTab] = useState<string | null>(
    tabs.find(([name]) => name === hash)?.[0] ?? 'readings',
  );
  return (
    <div className={styles.page}>
      <DeviceHead kind={device.kind} about={about} plantName={plantName} zone={zone} />
      <Tabs value={tab} onChange={setTab} keepMounted={false}>
        <Tabs.List aria-label={t.sections} className={styles.tabs}>
          {tabs.map(([name]) => (
            <Tabs.Tab key={name} value={name} className={styles.tab}>
              {t.tabs[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {/* Below the tabs, which stay where they are when it comes and goes. */}
        {tab !== 'alarms' && (
          <OpenAlarm sn={sn} plantId={plantId} zone={zone} onShow={() => setTab('alarms')} />
        )}
        {tabs.map(([name, content]) => (
          <Tabs.Panel key={name} value={name} className={styles.panel}>
            {content}
          </Tabs.Panel>
        ))}
      </Tabs>
      {isOwn && (
        <Link
          to="/plants/$id/settings"
          params={{ id: plantId }}
          search={{ device: sn }}
          className={styles.back}
        >
          {t.unbind}
        </Link>
      )}
    </div>
  );
}
