import { Button } from '@mantine/core';
import type { WireData } from '@helioport/contract';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Actions, Note, Row } from '../../../components/layout.tsx';
import { useFormats } from '../../../i18n/formats.ts';
import { toast } from '../../../parts/toast.tsx';
import { useAccount } from '../../../session/session-context.ts';
import { useChange } from '../../../wire/queries.ts';
import { ManageFault } from '../fault.tsx';
import { texts } from '../texts/index.ts';

/** An invitation to a plant. */
export type Invitation = WireData<'invitation/list'>['records'][number];

interface OneInvitationProps {
  readonly invitation: Invitation;
  /** Name of the company for which one may accept. */
  readonly company: string | undefined;
}

/** An invitation to a plant: who asks whom for what, what became of it, and how it is answered or withdrawn. */
export function OneInvitation({ invitation, company }: OneInvitationProps): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const { timeZone } = useAccount();
  const accept = useChange('invitation/accept');
  const decline = useChange('invitation/decline');
  const withdraw = useChange('invitation/withdraw');
  const {
    direction,
    kind = 'share',
    level = 'read',
    keeps,
    installer,
    installerEnds,
    collectors = 0,
    plantId,
    plantName = '',
    state = 'open',
    accessEnded,
  } = invitation;
  const id = { id: invitation.id! };
  const isOpen = state === 'open';
  // A house belongs to a person.
  const forCompany = kind === 'owner' ? undefined : company;
  const isReceived = direction === 'received';
  const isInForce = state === 'accepted' && !accessEnded;
  return (
    <Row>
      <div>
        <bdi>
          {isReceived
            ? askedOf(invitation, t)
            : t.asksOf[kind === 'share' ? level : kind](invitation.to!, plantName)}
        </bdi>
        <Note component="span">
          {isReceived && kind === 'share' && (isOpen || isInForce) && `${t.youMay[level]} `}
          {outcomeOf(invitation, t, (at) => formats.dateTime(at, timeZone))}
        </Note>
        {kind === 'owner' && isReceived && isOpen && <Note component="span">{t.thenYours}</Note>}
        {keeps && isOpen && (
          <Note component="span">
            {isReceived ? t.keeps[keeps](invitation.from!) : t.youKeep[keeps]}
          </Note>
        )}
        {installer && isReceived && isOpen && (
          <Note component="span">{t.installerStays(installer)}</Note>
        )}
        {collectors > 0 && isReceived && isOpen && (
          <Note component="span">{t.tokensKnown(collectors)}</Note>
        )}
      </div>
      {isReceived && isInForce && (
        <Link to="/plants/$id" params={{ id: plantId! }} aria-label={`${t.toPlant}: ${plantName}`}>
          {t.toPlant}
        </Link>
      )}
      {isOpen && (
        <Actions>
          {isReceived ? (
            <>
              <Button
                loading={accept.isPending}
                onClick={() => accept.mutate(id, { onSuccess: () => toast.show(t.accepted) })}
              >
                {forCompany === undefined ? t.accept : t.acceptForMe}
              </Button>
              {forCompany !== undefined && (
                <Button
                  loading={accept.isPending}
                  onClick={() =>
                    accept.mutate(
                      { ...id, forCompany: true },
                      { onSuccess: () => toast.show(t.acceptedForAll) },
                    )
                  }
                >
                  {t.acceptFor(forCompany)}
                </Button>
              )}
              {(keeps || installerEnds || collectors > 0) && (
                <Button
                  variant="default"
                  loading={accept.isPending}
                  onClick={() =>
                    accept.mutate(
                      { ...id, withoutSender: true },
                      { onSuccess: () => toast.show(t.accepted) },
                    )
                  }
                >
                  {t.acceptWithout}
                </Button>
              )}
              <Button
                variant="default"
                loading={decline.isPending}
                onClick={() => decline.mutate(id)}
              >
                {t.decline}
              </Button>
            </>
          ) : (
            <Button
              variant="default"
              loading={withdraw.isPending}
              onClick={() => withdraw.mutate(id)}
            >
              {t.withdraw}
            </Button>
          )}
        </Actions>
      )}
      <ManageFault error={accept.error ?? decline.error ?? withdraw.error} />
    </Row>
  );
}

type Texts = ReturnType<typeof texts.useTexts>;

/** What a sender asks, or asked if it is over. */
function askedOf(
  { kind = 'share', state, accessEnded, from = '', plantName = '' }: Invitation,
  t: Texts,
): string {
  if (state === 'open') return t.asks[kind](from, plantName);
  if (state !== 'accepted' || accessEnded) return t.asked[kind](from, plantName);
  return kind === 'owner' ? t.handedOver(from, plantName) : t.asks[kind](from, plantName);
}

/** What became of an invitation, and when. */
function outcomeOf(
  { direction = 'sent', state = 'open', company, answeredAt, expiresAt, accessEnded }: Invitation,
  t: Texts,
  time: (at: number | undefined) => string,
): string {
  const when = time(state === 'open' || state === 'expired' ? expiresAt : answeredAt);
  const outcome =
    state === 'accepted' && company !== undefined
      ? t.acceptedFor(company, when)
      : t.states[state](when);
  return accessEnded ? `${outcome} ${t.accessEnded[direction]}` : outcome;
}
