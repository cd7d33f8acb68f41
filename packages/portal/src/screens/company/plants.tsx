import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { Actions, Card, List, Note, Row, Soft } from '../../components/layout.tsx';
import { useFormats } from '../../i18n/formats.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { useAccount } from '../../session/session-context.ts';
import { useOperation } from '../../wire/queries.ts';
import { Bring } from './bring.tsx';
import { GiveAll } from './give-all.tsx';
import { mayOf, type Company } from './company.ts';
import { texts as shared } from '../../parts/texts/index.ts';
import { texts } from './texts/index.ts';
import { useAct } from './use-act.ts';

/** The fleet of a company. */
export function Plants({
  company: { id: companyId, name: companyName = '', role, ungiven = 0, ungivenNames, bringable },
}: {
  readonly company: Company;
}): ReactNode {
  const t = texts.useTexts();
  const { ownedBy } = shared.useTexts();
  const formats = useFormats();
  const { email: mine } = useAccount();
  const [pageNo, setPageNo] = useState(1);
  const { data } = useOperation('company/plants', { pageNo, pageSize: 20 }, { keepPrevious: true });
  const end = useAct('company/end');
  const [ending, setEnding] = useState<{
    readonly id: string;
    readonly name: string;
    readonly isOwn: boolean;
  }>();
  return (
    <Card aria-label={t.plants}>
      <h2>
        {t.plants}
        {data && ` (${formats.number(data.total, 0)})`}
      </h2>
      <Soft>{t.plantsLead}</Soft>
      {data?.total === 0 && <Soft>{t.noPlants}</Soft>}
      <List divided>
        {data?.records.map(({ id = '', name = '', owner = '', level, isInstaller }) => (
          <Row key={id} component="li">
            <div>
              <Link to="/plants/$id" params={{ id }}>
                <bdi>{name}</bdi>
              </Link>
              <Note component="span">
                {[
                  mayOf(t, level),
                  isInstaller && t.installer,
                  owner === mine ? undefined : ownedBy(owner),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </Note>
            </div>
            {(role === 'manager' || owner === mine) && (
              <Button
                variant="default"
                aria-label={`${t.end}: ${name}`}
                onClick={() => setEnding({ id, name, isOwn: owner === mine })}
              >
                {t.end}
              </Button>
            )}
          </Row>
        ))}
      </List>
      {data && data.pages > 1 && (
        <Row>
          <div>{t.page(formats.number(pageNo, 0), formats.number(data.pages, 0))}</div>
          <Actions>
            <Button variant="default" disabled={pageNo <= 1} onClick={() => setPageNo(pageNo - 1)}>
              {t.previous}
            </Button>
            <Button
              variant="default"
              disabled={pageNo >= data.pages}
              onClick={() => setPageNo(pageNo + 1)}
            >
              {t.next}
            </Button>
          </Actions>
        </Row>
      )}
      <Bring bringable={bringable} companyName={companyName} />
      {ungiven > 0 && <GiveAll ungiven={ungiven} names={ungivenNames} />}
      <ConfirmDialog
        opened={ending !== undefined}
        title={t.endTitle}
        action={t.end}
        busy={end.busy}
        onConfirm={() =>
          end.carryOut({ plantId: ending!.id, companyId: companyId! }, t.ended(ending!.name), () =>
            setEnding(undefined),
          )
        }
        onClose={() => setEnding(undefined)}
      >
        <p>
          <bdi>{ending?.name}</bdi>
        </p>
        {ending?.isOwn ? t.endLeadOwn : t.endLead}
      </ConfirmDialog>
    </Card>
  );
}
