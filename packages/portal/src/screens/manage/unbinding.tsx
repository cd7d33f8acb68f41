import { Button, Checkbox } from '@mantine/core';
import type { WireData } from '@helioport/contract';
import { useState, type ReactNode } from 'react';
import { Bullets, List, Note, Row, Soft } from '../../components/layout.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Pages } from '../../parts/data-table.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { texts as shared } from '../../parts/texts/index.ts';
import { toast } from '../../parts/toast.tsx';
import { useChange, useOperation } from '../../wire/queries.ts';
import { ManageFault } from './fault.tsx';
import { texts } from './texts/index.ts';

type Device = WireData<'device/ranking'>['page']['records'][number];

const PAGE_SIZE = 10;

interface UnbindingProps {
  readonly plantId: string;
  /** What is searched for at first. */
  readonly device: string | undefined;
  /** Called with the serial number of what has been unbound. */
  readonly onUnbound: (sn: string) => void;
}

/** The devices of a plant, each with the way out of it. */
export function Unbinding({ plantId, device = '', onUnbound }: UnbindingProps): ReactNode {
  const t = texts.useTexts();
  const { kinds } = shared.useTexts().device;
  const [search, setSearch] = useState(device);
  const [page, setPage] = useState(1);
  const [leaving, setLeaving] = useState<Device>();
  const asked = {
    plantId,
    pageNo: page,
    pageSize: PAGE_SIZE,
    sort: 'name',
    ...(search !== '' && { search }),
  };
  const { data } = useOperation('device/ranking', asked, { keepPrevious: true });
  if (!data) return null;
  const { records, total } = data.page;
  return (
    <>
      <h3>{t.boundDevices}</h3>
      {total + search.length === 0 ? (
        <Soft>{t.noneBound}</Soft>
      ) : (
        <SearchField
          label={t.searchDevices}
          value={search}
          onSearch={(text) => {
            setSearch(text);
            setPage(1);
          }}
        />
      )}
      <List divided>
        {records.map((one) => (
          <Row key={one.id} component="li">
            <div>
              <bdi>{one.name || one.sn}</bdi>
              <Note component="span">
                {kinds[one.kind!]}
                {one.name && (
                  <>
                    {' · '}
                    <bdi>{one.sn}</bdi>
                  </>
                )}
              </Note>
            </div>
            <Button
              variant="default"
              aria-label={`${t.unbind}: ${one.name || one.sn}`}
              onClick={() => setLeaving(one)}
            >
              {t.unbind}
            </Button>
          </Row>
        ))}
      </List>
      {total > PAGE_SIZE && (
        <Pages page={{ current: page, size: PAGE_SIZE, total }} onPage={setPage} />
      )}
      {leaving && (
        <UnbindDialog
          device={leaving}
          onClose={() => setLeaving(undefined)}
          onUnbound={onUnbound}
        />
      )}
    </>
  );
}

interface UnbindDialogProps {
  readonly device: Device;
  readonly onClose: () => void;
  readonly onUnbound: (sn: string) => void;
}

/** Says what becomes of a device's history and of what waits for it, before it is unbound. */
function UnbindDialog({ device, onClose, onUnbound }: UnbindDialogProps): ReactNode {
  const t = texts.useTexts();
  const [withDevices, setWithDevices] = useState(false);
  const unbind = useChange('unbindDevice');
  const removeCollector = useChange('delCollector');
  const sn = device.sn!;
  const isCollector = device.kind === 'collector';
  const isInverter = device.kind === 'inverter';
  const { data: commands = [] } = useOperation(
    'command/list',
    { sn, limit: 100 },
    { enabled: isInverter },
  );
  const waiting = commands.filter(
    ({ state }) => state === 'queued' || state === 'sent' || state === 'confirmed',
  ).length;
  const done = {
    onSuccess: () => {
      toast.show(t.unboundDone(sn));
      onUnbound(sn);
      onClose();
    },
  };
  const confirm = (): void =>
    isCollector
      ? removeCollector.mutate({ sn, deleteInvert: withDevices ? 1 : 0 }, done)
      : unbind.mutate({ sn }, done);
  return (
    <ConfirmDialog
      opened
      title={`${t.unbind}: ${device.name || sn}`}
      action={t.unbind}
      dangerous
      busy={unbind.isPending || removeCollector.isPending}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Bullets>
        <li>{t.historyStays}</li>
        <li>{t.nothingTaken}</li>
        {isInverter && <li>{waiting === 0 ? t.nothingWaits : t.waitingCommands(waiting)}</li>}
        <li>{t.bindAgain}</li>
      </Bullets>
      {isCollector && (
        <Checkbox
          label={t.withDevices}
          description={t.withDevicesLead}
          checked={withDevices}
          onChange={(event) => setWithDevices(event.currentTarget.checked)}
        />
      )}
      <ManageFault error={unbind.error ?? removeCollector.error} />
    </ConfirmDialog>
  );
}
