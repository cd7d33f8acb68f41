import { Button, Checkbox } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Card, List, Note, Row } from '../../../components/layout.tsx';
import { Badge } from '../../../parts/badge.tsx';
import { useFormats } from '../../../i18n/formats.ts';
import { Empty, Failed, Loading } from '../../../parts/states.tsx';
import { toast } from '../../../parts/toast.tsx';
import { useChange, useOperation } from '../../../wire/queries.ts';
import { serverNow } from '../../../wire/server-clock.ts';
import { settingTexts, useSettingTexts } from '../../../parts/settings/setting-texts.ts';
import { texts } from '../texts/index.ts';
import {
  isCancellable,
  isOpen,
  LISTED,
  undoable,
  useCommands,
  type Command,
} from '../../../parts/settings/command.ts';
import { Progress } from '../../../parts/settings/progress.tsx';
import { UndoButton } from './undo-button.tsx';
import { useRequesters } from './use-requesters.ts';

const PAGES_AT_MOST = 20;

interface CommandsProps {
  readonly sn: string;
  /** The device and its plant, by their names. */
  readonly place: string;
  readonly plantId: string;
  readonly zone: string;
}

/** What was changed on a device: by whom, through which door, from what to what, and whether the device has it. */
export function CommandHistory({ sn, place, plantId, zone }: CommandsProps): ReactNode {
  const t = texts.useTexts();
  const words = settingTexts.useTexts();
  const formats = useFormats();
  const names = useSettingTexts(sn);
  const [pages, setPages] = useState(1);
  const [withStrategies, setWithStrategies] = useState(false);
  const { data: commands, error, refetch, isFetching } = useCommands({ sn, pages });
  const { data: may } = useOperation('control/state', { plantId });
  const requesterOf = useRequesters(may?.mayManage ?? false);
  const undo = useChange('command/undo');
  const cancel = useChange('command/cancel');
  if (!commands) return error ? <Failed error={error} again={() => void refetch()} /> : <Loading />;
  if (commands.length === 0) return <Empty title={t.noCommands} lead={t.noCommandsLead} />;

  const steps = commands.filter(({ strategyId }) => strategyId !== undefined);
  const shown = withStrategies ? commands : commands.filter((command) => !steps.includes(command));
  const candidates = undoable(commands);
  const valueOf = ({ parameter = '' }: Command, value: string | undefined): string =>
    names.valueOf(parameter, value);
  const nameOf = ({ parameter = '', name = '' }: Command): string => names.nameOf(parameter, name);
  return (
    <>
      <Note>{t.clock(formats.zone(zone, serverNow()))}</Note>
      {steps.length > 0 && (
        <Checkbox
          label={t.withStrategies(formats.number(steps.length, 0))}
          checked={withStrategies}
          onChange={({ currentTarget }) => setWithStrategies(currentTarget.checked)}
        />
      )}
      {shown.length === 0 && <Empty title={t.onlyStrategies} />}
      <List aria-label={t.commandsOf}>
        {shown.map((command) => {
          const {
            id,
            state = 'queued',
            reason,
            oldValue,
            newValue,
            door = '',
            queuedAt,
            undoes,
          } = command;
          const name = nameOf(command);
          return (
            <Card key={id} component="li" data-state={state}>
              <Row>
                <div>
                  <strong>{name}</strong>{' '}
                  <span>
                    <bdi>{valueOf(command, oldValue)}</bdi> →{' '}
                    <bdi>{valueOf(command, newValue)}</bdi>
                  </span>
                </div>
                <Badge kind={state === 'verified' ? 'good' : isOpen(command) ? 'plain' : 'fault'}>
                  {words.states[state]}
                </Badge>
              </Row>
              <Note>
                {formats.dateTime(queuedAt, zone)} · <bdi>{requesterOf(command)}</bdi>,{' '}
                {t.doors[door as keyof typeof t.doors] ?? door}
                {undoes !== undefined && ` · ${t.undoes}`}
                {command.strategyId !== undefined && ` · ${t.stepOfStrategy}`}
              </Note>
              {isOpen(command) ? (
                <Progress command={command} />
              ) : (
                reason && (
                  <Note component="bdi" lang="en">
                    {reason}
                  </Note>
                )
              )}
              {may?.mayWrite && isCancellable(command) && (
                <Button
                  variant="default"
                  size="xs"
                  aria-label={t.cancelName(name)}
                  loading={cancel.isPending}
                  onClick={() =>
                    cancel.mutate(
                      { id: id! },
                      {
                        onSuccess: () => toast.show(t.cancelled),
                        onError: ({ message }) => toast.fault(message),
                      },
                    )
                  }
                >
                  {t.cancel}
                </Button>
              )}
              {may?.mayWrite && candidates.has(command) && (
                <UndoButton sn={sn} place={place} command={command} undo={undo} size="xs" />
              )}
            </Card>
          );
        })}
      </List>
      {commands.length >= pages * LISTED && pages < PAGES_AT_MOST && (
        <Button variant="default" loading={isFetching} onClick={() => setPages(pages + 1)}>
          {t.more}
        </Button>
      )}
    </>
  );
}
