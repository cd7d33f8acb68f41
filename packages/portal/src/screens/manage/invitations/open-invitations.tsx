import type { ReactNode } from 'react';
import { Note, Row } from '../../../components/layout.tsx';
import { useFormats } from '../../../i18n/formats.ts';
import { texts as shared } from '../../../parts/people/texts/index.ts';
import { Withdrawal } from '../../../parts/people/withdrawal.tsx';
import { ManageFault } from '../fault.tsx';
import { texts } from '../texts/index.ts';
import { useOpenSent } from './use-open-sent.ts';

interface OpenInvitationsProps {
  readonly plantId: string;
  /** The plant's. */
  readonly zone: string;
  readonly onWithdrawn: () => void;
}

/** Who is invited to a plant and has not answered yet. Whom it is offered to stands with the hand-over. */
export function OpenInvitationsCard({
  plantId,
  zone,
  onWithdrawn,
}: OpenInvitationsProps): ReactNode {
  const t = texts.useTexts();
  const said = shared.useTexts();
  const formats = useFormats();
  const { invitations, withdraw, isWithdrawing, faultOf } = useOpenSent(plantId, onWithdrawn);
  return (
    <>
      {invitations.map(({ id = '', to, kind, level, expiresAt }) => (
        <Row key={id} component="li" data-invited>
          <div>
            <bdi>{to}</bdi>
            <Note component="span">
              {said.asked[kind === 'installer' ? kind : (level ?? 'read')](said.thePlant)}
            </Note>
            <Note component="span">{said.until(formats.dateTime(expiresAt, zone))}</Note>
          </div>
          <Withdrawal
            action={t.withdraw}
            label={t.withdrawOf(to!)}
            title={t.withdrawOf(to!)}
            busy={isWithdrawing(id)}
            onConfirm={() => withdraw(id, t.invitationWithdrawn)}
          >
            {t.withdrawLead(to!)}
          </Withdrawal>
          <ManageFault error={faultOf(id)} />
        </Row>
      ))}
    </>
  );
}
