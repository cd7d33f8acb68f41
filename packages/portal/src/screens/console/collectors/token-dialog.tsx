import type { ReactNode } from 'react';
import { Form } from '../../../components/layout.tsx';
import { Dialog } from '../../../focus/dialog.tsx';
import { toast } from '../../../parts/toast.tsx';
import { useConsoleChange } from '../../../wire/console.ts';
import { AskFirst } from '../ask-first.tsx';
import { texts } from '../texts/index.ts';

/** Withdraws a collector's tokens. The console makes no new ones: a person who had one could report in an owner's name. */
export function TokenDialog({
  sn,
  onClose,
}: {
  readonly sn: string;
  readonly onClose: () => void;
}): ReactNode {
  const all = texts.useTexts();
  const t = all.collectors;
  const revoke = useConsoleChange('collector/revoke');
  const withdraw = (): void =>
    revoke.mutate(
      { sn },
      {
        onSuccess: () => {
          toast.show(t.revoked(sn));
          onClose();
        },
        onError: (fault: Error) => toast.fault(all.failed(fault.message)),
      },
    );
  return (
    <Dialog
      opened
      centered={false}
      onClose={onClose}
      title={sn}
      closeButtonProps={{ 'aria-label': t.close }}
    >
      <Form component="div">
        <AskFirst name={t.revoke} lead={t.revokeLead} busy={revoke.isPending} onSure={withdraw} />
      </Form>
    </Dialog>
  );
}
