import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { More, Page, Row, Soft } from '../../components/layout.tsx';
import { PageHeading } from '../../focus/page-heading.tsx';
import { useFormats } from '../../i18n/formats.ts';
import { AccessLinks } from '../../parts/navigation/section-links.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { PlusIcon } from '../../parts/icons.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import { toast } from '../../parts/toast.tsx';
import { useAccount, useSession } from '../../session/session-context.ts';
import { useChange, useOperation } from '../../wire/queries.ts';
import { serverNow } from '../../wire/server-clock.ts';
import { CreateDialog } from './create-dialog.tsx';
import { KeyList } from './key-list.tsx';
import { isOver, keyStateOf, type Key } from './key-state.ts';
import { texts } from './texts/index.ts';

/** Service > API Management: key pairs with which one's own programs sign requests. */
export function Screen(): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const { timeZone } = useAccount();
  const { session, end } = useSession();
  const { data: keys, error, refetch } = useOperation('key/list', {});
  const disable = useChange('key/disable');
  const [creating, setCreating] = useState<{ readonly replaced: Key | undefined }>();
  const [disabling, setDisabling] = useState<Key>();
  if (!keys) return error ? <Failed error={error} again={() => void refetch()} /> : <Loading />;
  const now = serverNow();
  const newestFirst = keys.toReversed();
  const [over, current] = [
    newestFirst.filter((key) => isOver(keyStateOf(key, now))),
    newestFirst.filter((key) => !isOver(keyStateOf(key, now))),
  ];
  const [waiting, expiring] = [
    current.some((key) => keyStateOf(key, now) === 'waiting'),
    current.filter((key) => keyStateOf(key, now) === 'expiring'),
  ];
  const carryOut = (key: Key): void =>
    disable.mutate(
      { keyId: key.keyId! },
      {
        onSuccess: () => toast.show(t.disabled(key.label || key.keyId!)),
        onError: (fault) => toast.fault(fault.message),
        onSettled: () => setDisabling(undefined),
      },
    );
  return (
    <Page>
      <AccessLinks />
      <Row component="header">
        <div>
          <PageHeading>{t.title}</PageHeading>
          <Soft>
            {t.lead} {t.activateLead}
          </Soft>
          <Soft>
            {/* Another page than the portal's, which stays open. */}
            <a
              href={`${session?.userApiUrl ?? ''}/reference/guides/signing`}
              target="_blank"
              rel="noreferrer"
            >
              {t.guide}
            </a>{' '}
            · <Link to="/debugger">{t.refused}</Link>
          </Soft>
        </div>
        {current.length > 0 && (
          <Button
            leftSection={<PlusIcon size={18} />}
            onClick={() => setCreating({ replaced: undefined })}
          >
            {t.activateNow}
          </Button>
        )}
      </Row>
      {waiting && (
        <Notice title={t.waiting}>
          <p>{t.waitingLead}</p>
          <Button size="xs" variant="default" onClick={() => void end()}>
            {t.created.logOut}
          </Button>
        </Notice>
      )}
      {expiring.map((key) => (
        <Notice key={key.keyId} kind="warn" title={t.expiring(key.label || key.keyId!)}>
          <p>{t.expiringLead}</p>
          <Button size="xs" variant="default" onClick={() => setCreating({ replaced: key })}>
            {t.replaceShort}
          </Button>
        </Notice>
      ))}
      {current.length === 0 ? (
        <Empty title={t.none} lead={t.noneLead}>
          <Button onClick={() => setCreating({ replaced: undefined })}>{t.activateNow}</Button>
        </Empty>
      ) : (
        <KeyList
          keys={current}
          onReplace={(replaced) => setCreating({ replaced })}
          onDisable={setDisabling}
        />
      )}
      {over.length > 0 && (
        <More>
          <summary>{t.over(over.length)}</summary>
          <KeyList keys={over} />
        </More>
      )}
      {creating && (
        <CreateDialog replaced={creating.replaced} onClose={() => setCreating(undefined)} />
      )}
      <ConfirmDialog
        opened={disabling !== undefined}
        title={t.disableTitle}
        action={t.disable}
        dangerous
        busy={disable.isPending}
        onConfirm={() => disabling && carryOut(disabling)}
        onClose={() => setDisabling(undefined)}
      >
        <p>
          {/* A key pair and its replacement have the same name. */}
          <bdi>{disabling?.label}</bdi> <code>{disabling?.keyId}</code>
        </p>
        {disabling?.expiresAt !== undefined && (
          <p>{t.worksUntil(formats.dateTime(disabling.expiresAt, timeZone))}</p>
        )}
        <p>{t.disableLead}</p>
      </ConfirmDialog>
    </Page>
  );
}
