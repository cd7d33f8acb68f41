import { Button } from '@mantine/core';
import type { WireData } from '@helioport/contract';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { Card, List, Note, Page, Row } from '../../components/layout.tsx';
import { PageHeading } from '../../focus/page-heading.tsx';
import { useFormats } from '../../i18n/formats.ts';
import { Pages } from '../../parts/data-table.tsx';
import { AccountClock } from '../../parts/people/account-clock.tsx';
import { Back } from '../../parts/navigation/back.tsx';
import { InstallationLinks } from '../../parts/navigation/section-links.tsx';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import { toast } from '../../parts/toast.tsx';
import { useAccount } from '../../session/session-context.ts';
import { useChange, useOperation } from '../../wire/queries.ts';
import { ManageFault } from './fault.tsx';
import { texts } from './texts/index.ts';

const PAGE_SIZE = 20;

/** Plants that were put aside, to bring them back. */
export function Screen(): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const { role, timeZone } = useAccount();
  const [pageNo, setPageNo] = useState(1);
  const {
    data,
    error: fault,
    refetch,
  } = useOperation('plant/archived', { pageNo, pageSize: PAGE_SIZE }, { keepPrevious: true });
  const { mutate, error, isPending, variables } = useChange('plant/restore');
  if (!data) return fault ? <Failed error={fault} again={() => void refetch()} /> : <Loading />;
  // The last plant of the last page has been brought back.
  if (data.pages > 0 && pageNo > data.pages) setPageNo(data.pages);
  return (
    <Page narrow>
      {role === 'installer' ? <InstallationLinks /> : <Back to="/">{t.toOverview}</Back>}
      <PageHeading>{t.archived}</PageHeading>
      {data.total === 0 ? (
        <Empty title={t.noneArchived} />
      ) : (
        <Card aria-label={t.archived}>
          <List divided>
            {data.records.map(({ id = '', name = '', address, archivedAt }) => (
              <Row key={id} component="li">
                <div>
                  <bdi>{name}</bdi>
                  <Note component="span">
                    {address && <bdi>{address} · </bdi>}
                    {t.archivedOn(formats.dateTime(archivedAt, timeZone))}
                  </Note>
                </div>
                <Button
                  variant="default"
                  loading={isPending && variables.plantId === id}
                  aria-label={`${t.restore}: ${name}`}
                  onClick={() => {
                    const next = (
                      <Link to="/plants/$id/settings" params={{ id }} search={{ bind: true }}>
                        {t.toItsDevices}
                      </Link>
                    );
                    const tell = ({ bound = 0, elsewhere = 0 }: WireData<'plant/restore'>): void =>
                      elsewhere > 0
                        ? toast.show(
                            t.restoredWithout(name, elsewhere, formats.number(elsewhere, 0)),
                            next,
                          )
                        : toast.show(bound > 0 ? t.restoredWith(name) : t.restored(name));
                    mutate({ plantId: id }, { onSuccess: tell });
                  }}
                >
                  {t.restore}
                </Button>
              </Row>
            ))}
          </List>
          {data.total > PAGE_SIZE && (
            <Pages
              page={{ current: pageNo, size: PAGE_SIZE, total: data.total }}
              onPage={setPageNo}
            />
          )}
          <ManageFault error={error} />
          <AccountClock />
        </Card>
      )}
    </Page>
  );
}
